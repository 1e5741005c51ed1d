import { stored } from '../../language/contract.ts';

/** Reads bodies of unknown shape: every function accepts any value and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Real bodies have fewer levels, and parsing very many takes seconds. */
const DEEPEST = 200;

/** The JSON object in a body, regardless of its content type; otherwise the problem, as `is …`. */
export function readJsonObject(body: Buffer): { object: JsonObject } | { problem: string } {
  const text = decode(body);
  if (text === null) return { problem: stored('is not UTF-8') };
  if (text.trim() === '') return { problem: stored('is empty') };
  if (depth(text) > DEEPEST)
    return { problem: stored('is nested more than {most} levels deep', { most: DEEPEST }) };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { object: value } : { problem: stored('is JSON but not an object') };
  } catch {
    return { problem: stored('is not valid JSON, or was cut off') };
  }
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

/** The deepest nesting of brackets outside of strings. */
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

/** The object's own field with this name. Inherited names such as `toString` are not fields. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function objectField(object: JsonObject, name: string): JsonObject {
  const value = field(object, name);
  return isObject(value) ? value : {};
}

/** The field's text, unless it is blank. Numbers and booleans become text. */
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

/** The objects in the field's list. Other elements are left out. */
export function objectsField(object: JsonObject, name: string): JsonObject[] {
  const value = field(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A sender's word for one of our sentences: short, on one line, and without characters that cannot be stored. */
export function quoted(word: string): string {
  return JSON.stringify(word.slice(0, 60));
}
