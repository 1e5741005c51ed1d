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

/** The `User-Agent` that marks a test call in its stored headers. Test calls need no signature, so only this service sets it. */
export const TEST_SENDER = 'Tocsin test call';

/**
 * The headers to store and show: without credentials, without any header that repeats the token of the URL, as some
 * proxies add, and without the mark of a test call.
 */
export function storedHeaders(sent: Headers, token: string): Headers {
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) =>
        !SECRET.test(name) && !value.includes(token) && !(name === 'user-agent' && value === TEST_SENDER),
    ),
  );
}
