import { stored } from '../language/contract.ts';
import { errorCode } from './error-text.ts';
import { tlsTrouble } from './tls-trouble.ts';

const CLAUSES: Record<string, (where: string) => string> = {
  ECONNREFUSED: (host) => stored('{host} refuses connections', { host }),
  ENOTFOUND: (host) => stored('the host name of {host} does not exist', { host }),
  EAI_AGAIN: (host) => stored('the host name of {host} cannot be looked up right now', { host }),
  ECONNRESET: (host) => stored('{host} closed the connection before it had answered', { host }),
  EPIPE: (host) => stored('{host} closed the connection before it had answered', { host }),
  EHOSTUNREACH: (host) => stored('there is no route to {host}', { host }),
  ENETUNREACH: (host) => stored('there is no route to {host}', { host }),
  ETIMEDOUT: (host) => stored('{host} does not answer connections', { host }),
  HPE_HEADER_OVERFLOW: (host) => stored('{host} answered with too many headers', { host }),
};

/**
 * Why a server could not be reached or gave no answer, as a clause without a full stop, with what to do about wrong certificates;
 * null for any other error. `host`: the name under which it was called, with its port.
 */
export function networkTrouble(error: unknown, host: string): string | null {
  return tlsTrouble(error, host) ?? CLAUSES[errorCode(error)]?.(host) ?? null;
}
