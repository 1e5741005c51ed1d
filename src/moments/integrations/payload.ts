/** Reading of bodies whose shape nobody promised: every function takes anything and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Nobody means anything by more levels than this, and parsing very many takes seconds. */
const DEEPEST = 200;

/** The JSON object in a body, whatever its content type says; otherwise what the body is instead, as `is …`. */
export function readJsonObject(body: Buffer): { object: JsonObject } | { problem: string } {
  const text = decode(body);
  if (text === null) return { problem: 'is not UTF-8' };
  if (text.trim() === '') return { problem: 'is empty' };
  if (depth(text) > DEEPEST) return { problem: `is nested more than ${DEEPEST} levels deep` };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { object: value } : { problem: 'is JSON but not an object' };
  } catch {
    return { problem: 'is not valid JSON, or was cut off' };
  }
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

/** How many brackets are open at once at most, outside of strings. */
function depth(text: string): number {
  let open = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++open);
    else if (character === ']' || character === '}') open--;
  }
  return deepest;
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

/** The objects in the field's list; whatever else is in it is left out. */
export function objectsField(object: JsonObject, name: string): JsonObject[] {
  const value = field(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A sender's word in a sentence of ours: short, on one line, and fit to be stored. */
export function quoted(word: string): string {
  return JSON.stringify(word.slice(0, 60));
}
