/** Reading of bodies whose shape nobody promised: every function takes anything and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object in a body, whatever its content type says; otherwise a sentence about what it is instead. */
export function readJsonObject(body: Buffer): { object: JsonObject } | { error: string } {
  const text = decode(body);
  if (text === null) return { error: 'the body is not UTF-8 text; a JSON object is expected.' };
  if (text.trim() === '') return { error: 'the body is empty; a JSON object is expected.' };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value)
      ? { object: value }
      : { error: 'the body is JSON but not an object; a JSON object is expected.' };
  } catch {
    return { error: 'the body is not valid JSON, or was cut off; a JSON object is expected.' };
  }
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own field of this name; inherited names such as `toString` are no fields. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function objectField(object: JsonObject, name: string): JsonObject {
  const value = field(object, name);
  return isObject(value) ? value : {};
}

/** The field's text if it is one and not blank; numbers and booleans are written out. */
export function textField(object: JsonObject, name: string): string | null {
  const value = field(object, name);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && /\S/.test(value) ? value : null;
}

export function firstText(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textField(object, name);
    if (text !== null) return text;
  }
  return null;
}
