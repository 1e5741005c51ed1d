import type { IncomingHttpHeaders } from 'node:http';
import type { Headers } from '../moments/integrations/adapter.ts';

/** Signatures are no secrets: they are kept. */
const SECRET = /(^|-)(authorization|cookie2?|token|secret|password|api-?key|credentials?)($|-)/;

/**
 * The headers of a call as they are stored and shown: without credentials of whoever sent it, and without whatever
 * repeats the token of the URL, as proxies do.
 */
export function storedHeaders(headers: IncomingHttpHeaders, token: string): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')] as const)
      .filter(([name, value]) => !SECRET.test(name) && !value.includes(token)),
  );
}
