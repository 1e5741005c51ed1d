import { storedMessages } from './ambient.ts';
import { locale, t, tIn } from './contract.ts';

/**
 * Texts that are stored in English, by `stored`, and shown later to people of several languages: the message that a text was
 * made of is found again when it is read, together with its values, so that rows of every release can be shown (decision 0315).
 */

type Form = {
  message: string;
  /** The literal parts before, between and after the values. */
  parts: readonly string[];
  names: readonly string[];
};

const ARGUMENT = /\{(\w+)\}/g;
/** A value can be such a text itself: `The calendar … cannot be read: it needs too much memory to read.` */
const DEEPEST = 3;
/** Longer texts stay English; no message becomes as long. */
const LONGEST = 2_000;
const KEPT = 1_000;
const FEWEST_WORDS = 3;

let forms: readonly Form[] | null = null;
const kept = new Map<string, string>();

/** A stored text in the current language; unchanged when no message of the catalogue says it. */
export function storedText(text: string): string {
  if (locale() === 'en' || text.length > LONGEST) return text;
  const key = `${locale()} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= KEPT) kept.clear();
  const said = inForm(text, 1);
  kept.set(key, said);
  return said;
}

export function storedTextOrNull(text: string | null): string | null {
  return text === null ? null : storedText(text);
}

function inForm(text: string, depth: number): string {
  // What follows a colon begins in lower case, although its message is a sentence.
  const said = saidByForm(text, depth) ?? saidByForm(capital(text), depth);
  if (said !== null) return said;
  // A clause can have become a sentence.
  const clause = text.endsWith('.') ? `${text.slice(0, 1).toLowerCase()}${text.slice(1, -1)}` : '';
  const saidOfClause = clause === '' ? null : saidByForm(clause, depth);
  if (saidOfClause !== null)
    return tIn('a text that becomes a sentence', '{text}.', { text: capital(saidOfClause) });
  // A message of `t` that was made in English; a name of a few words is left alone.
  return text.split(' ').length >= FEWEST_WORDS ? t(text) : text;
}

function saidByForm(text: string, depth: number): string | null {
  forms ??= storedMessages()
    .map(formOf)
    .sort((a, b) => literal(b) - literal(a));
  for (const form of forms) {
    const values = valuesIn(text, form);
    if (!values) continue;
    const said = values.map((value, index) => [
      form.names[index] ?? '',
      depth < DEEPEST ? inForm(value, depth + 1) : value,
    ]);
    return t(form.message, Object.fromEntries(said));
  }
  return null;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The message with the most text of its own is the one that was meant. */
function literal({ parts }: Form): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function formOf(message: string): Form {
  const names = [...message.matchAll(ARGUMENT)].map(([, name = '']) => name);
  return { message, names, parts: message.split(ARGUMENT).filter((_, index) => index % 2 === 0) };
}

/** The values with which a message becomes the text; null if it cannot. Takes one pass, whatever the text is. */
export function valuesIn(text: string, { parts, names }: Omit<Form, 'message'>): string[] | null {
  const [first = '', ...others] = parts;
  if (!text.startsWith(first)) return null;
  if (others.length === 0) return text === first ? [] : null;
  const values: string[] = [];
  let from = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    // The last part ends the text, wherever else it occurs.
    const at = isLast ? text.length - part.length : text.indexOf(part, from + 1);
    if (at <= from || !text.startsWith(part, at)) return null;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return isOneForEach(names, values) ? values : null;
}

/** A value that a message names twice is the same in both places. */
function isOneForEach(names: readonly string[], values: readonly string[]): boolean {
  return names.every((name, index) => values[index] === values[names.indexOf(name)]);
}
