import type { TryBody } from '../../../src/sources/try-contract.ts';

/** A pasted call. Its text is sent unchanged, and JSON is sent with the content type of JSON. `headers`: one a line. */
export function triedBody(text: string, headers: string): Pick<TryBody, 'body' | 'headers'> {
  const given = headers.split('\n').flatMap((line) => {
    const at = line.indexOf(':');
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
  });
  const isTyped = given.some(([name]) => name.toLowerCase() === 'content-type');
  const type = isJson(text) && !isTyped ? [['Content-Type', 'application/json'] as const] : [];
  return { body: text, headers: Object.fromEntries([...type, ...given]) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
