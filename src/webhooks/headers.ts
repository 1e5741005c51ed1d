import type { IncomingHttpHeaders } from 'node:http';
import type { Headers } from '../moments/integrations/adapter.ts';

/** Signatures are no secrets: they are kept. */
const SECRET = /(^|-)(authorization|cookie2?|token|secret|password|api-?key|credentials?)($|-)/;

/** The headers of a call as one text each, by names in lower case. */
export function sentHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  );
}

/**
 * The headers of a call as they are stored and shown: without credentials of whoever sent it, and without whatever
 * repeats the token of the URL, as proxies do.
 */
export function storedHeaders(sent: Headers, token: string): Headers {
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !SECRET.test(name) && !value.includes(token)),
  );
}
