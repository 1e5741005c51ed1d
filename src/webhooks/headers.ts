import type { IncomingHttpHeaders } from 'node:http';
import type { Headers } from '../moments/integrations/adapter.ts';

/** Headers that hold credentials. Signatures are not secret and are stored. */
const SECRET = /(^|-)(authorization|cookie2?|token|secret|password|api-?key|credentials?)($|-)/;

/** The headers of a call as strings, by lower-case name. */
export function sentHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  );
}

/**
 * The headers to store and show: without credentials, and without any header that repeats the token of the URL, as some
 * proxies add.
 */
export function storedHeaders(sent: Headers, token: string): Headers {
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !SECRET.test(name) && !value.includes(token)),
  );
}
