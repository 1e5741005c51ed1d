import { tlsTrouble } from '../kit/tls-trouble.ts';

/**
 * PostgreSQL's classes of trouble that passes: connection, resources, operator intervention, lock and time limits, and
 * a server that may only be read, as the former or the future primary is during a fail-over.
 */
const PASSING = /^(08|53|57|58|40|55P03|25P0[34]|25006)/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNABORTED',
]);
const DRIVER =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|cached plan must not change result type/i;

/** Whether an error means that the database cannot be used just now, as opposed to that we asked it something wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && (SOCKET.has(code) || PASSING.test(code))) return true;
  return DRIVER.test(error.message) || tlsTrouble(error, '') !== null;
}

/** The server refused the statement, or never got it: a database that is read-only, full, starting or out of connections. */
const NOT_DONE = /^(25006|53|55P03|40|57014|57P03)/;

/** Whether a statement that was sent and failed may have been committed nevertheless: its answer was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return isDatabaseAway(error) && !(typeof code === 'string' && NOT_DONE.test(code));
}
