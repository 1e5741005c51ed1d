import { isObject, readJsonObject, textField } from './payload.ts';

/**
 * A call of another product's API as it is stored: everything that its adapter needs, without the key. People see it in
 * the list of received calls.
 */
export type DialectCall = {
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The body as text, unpacked. */
  body: string;
  /**
   * A dedup key that the call itself does not contain: one that our answer assigned to an event without a key, or that
   * of the page whose id the call names.
   */
  dedup_key?: string;
};

/** The bytes to store. */
export function dialectBody(call: DialectCall): Buffer {
  return Buffer.from(JSON.stringify(call));
}

/** The stored call. A body that arrived at another URL becomes a call with only that body. */
export function readDialectCall(stored: Buffer): DialectCall {
  const read = readJsonObject(stored);
  if ('object' in read) {
    const { method, path, query, body } = read.object;
    if (typeof method === 'string' && typeof path === 'string' && isObject(query) && typeof body === 'string')
      return { method, path, query: textsOf(query), body, ...keyOf(textField(read.object, 'dedup_key')) };
  }
  return { method: 'POST', path: '/', query: {}, body: stored.toString('utf8') };
}

function keyOf(key: string | null): { dedup_key?: string } {
  return key === null ? {} : { dedup_key: key };
}

function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The JSON object or form in the body of a call; an empty one when the body is empty. */
export function callObject(call: DialectCall): ReturnType<typeof readJsonObject> {
  if (call.body.trim() === '') return { object: {} };
  return readJsonObject(Buffer.from(call.body));
}
