import { oneLine } from './one-line.ts';

/** Limits how deeply wrapped errors are searched; an error can even be its own cause. */
const MOST_LAYERS = 8;
const LONGEST = 500;
const NO_MESSAGE = 'no reason was given';
/** `fetch` gives this message for every failure; only its cause names the problem. */
const SAYS_NOTHING = new Set(['fetch failed', '']);

/**
 * Anything that was thrown, as one line for people, without a full stop at the end. For errors that wrap others
 * (`cause`, `AggregateError`), joins each message that adds something, outermost first.
 */
export function errorText(error: unknown): string {
  const texts: string[] = [];
  for (const layer of layersOf(error)) {
    const text = layerText(layer);
    if (!SAYS_NOTHING.has(text) && !texts.some((known) => known.includes(text))) texts.push(text);
  }
  const joined = texts.join(': ') || errorCode(error) || nameOf(error) || NO_MESSAGE;
  return readable(joined) || NO_MESSAGE;
}

/** The code of an error, or of the first error wrapped in it that has one; empty when there is none. */
export function errorCode(error: unknown): string {
  for (const layer of layersOf(error))
    for (const name of ['originalCode', 'code'])
      if (typeof fieldOf(layer, name) === 'string' && fieldOf(layer, name) !== '')
        return fieldOf(layer, name) as string;
  return '';
}

/** The error and the errors that it wraps, outermost first. */
export function layersOf(error: unknown): unknown[] {
  const layers: unknown[] = [];
  let at = error;
  while (at !== undefined && at !== null && layers.length < MOST_LAYERS && !layers.includes(at)) {
    layers.push(at);
    const errors = fieldOf(at, 'errors');
    // One error per address of a host; the first is enough.
    at = Array.isArray(errors) && errors.length > 0 ? errors[0] : fieldOf(at, 'cause');
  }
  return layers;
}

function layerText(layer: unknown): string {
  if (typeof layer !== 'object' && typeof layer !== 'function') return String(layer).trim();
  for (const name of ['message', 'reason', 'error', 'error_description']) {
    const text = fieldOf(layer, name);
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return layer instanceof Error ? '' : asJson(layer);
}

function nameOf(error: unknown): string {
  const name = fieldOf(error, 'name');
  return typeof name === 'string' ? name : '';
}

/** Some libraries throw plain objects. */
function asJson(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? '';
    return text === '{}' || text === '[]' ? '' : text;
  } catch {
    return '';
  }
}

/** Reads a field of any thrown value, including proxies and objects whose getters throw. */
export function fieldOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function readable(text: string): string {
  const line = oneLine(text.toWellFormed().replaceAll('\0', ''))
    .replace(/\[object \w*\]?/g, 'the details cannot be shown')
    .replace(/[.\s]+$/, '')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()} …` : line;
}
