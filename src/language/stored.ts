import { detailMessages, storedMessages } from './ambient.ts';
import { locale, t, tIn } from './contract.ts';
import { sentenceOf } from './sentence-contract.ts';
import { type Form, formOf, valuesIn } from './stored-form-contract.ts';

/**
 * Texts that are stored in English, by `stored`, and shown later to people of several languages: the message that a text was
 * made of is found again when it is read, together with its values, so that rows of every release can be shown (decision 0315).
 */

/** A value can be such a text itself: `Nobody was paged: the body is empty; a call of Amazon SNS is expected.` */
const DEEPEST = 4;
/** Longer texts stay English; no message becomes as long. */
const LONGEST = 2_000;
const KEPT = 1_000;
const FEWEST_WORDS = 3;
const FEWEST_LETTERS = 6;

let forms: readonly Form[] | null = null;
let detailForms: readonly Form[] | null = null;
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
  if (text.split(' ').length < FEWEST_WORDS) return text;
  const found = t(text);
  return found === text ? detailsText(text) : found;
}

function saidByForm(text: string, depth: number): string | null {
  forms ??= sorted(storedMessages());
  for (const form of forms) {
    const values = valuesIn(text, form);
    if (!values) continue;
    const said = values.map((value) => (depth < DEEPEST ? inForm(value, depth + 1) : value));
    // A message that only joins others, such as `{one} and {two}.`, would fit too much.
    if (isJoin(form) && said.some((one, index) => one === values[index])) continue;
    return t(form.message, Object.fromEntries(form.names.map((name, index) => [name, said[index] ?? ''])));
  }
  return null;
}

/** Whether a message has too few letters of its own to tell whether a text was made from it. */
function isJoin({ parts }: Form): boolean {
  const text = parts.join(' ');
  const letters = text.match(/\p{L}/gu) ?? [];
  return parts.length > 1 && letters.length < FEWEST_LETTERS && !/\p{L}{4}/u.test(text);
}

/** Where the sentence about the next field begins. */
const NEXT_FIELD = /(?<=\.) (?=[a-z][\w.[\]]* [a-z])/;
const FIELD = /^([a-z][\w.[\]]*|Content-Type) (.+)\.$/s;

/**
 * Problems with fields, which `sentences` has joined. Their messages are made by `t`, because callers of the API get them as
 * well. A sentence that no message says stays as it is.
 */
function detailsText(text: string): string {
  return text.split(NEXT_FIELD).map(detailText).join(' ');
}

function detailText(text: string): string {
  const [, field, message] = FIELD.exec(text) ?? [];
  if (field === undefined || message === undefined) return text;
  const said = saidInDetail(message, 1);
  return said === null ? text : sentenceOf(field, said.text);
}

/** The stored message of a problem with a field, without the field. */
export function storedProblem(message: string): string {
  return locale() === 'en' || message.length > LONGEST
    ? message
    : (saidInDetail(message, 1)?.text ?? message);
}

type Said = { text: string; known: number };

/**
 * Problems of fields have many short messages, of which several can fit a text. The one whose fixed text covers the most, including
 * that of its values, is meant.
 */
function saidInDetail(text: string, depth: number): Said | null {
  detailForms ??= sorted(detailMessages());
  let best: Said | null = null;
  for (const form of detailForms) {
    const values = valuesIn(text, form);
    if (!values) continue;
    const inner = values.map((value) => (depth < DEEPEST ? saidInDetail(value, depth + 1) : null));
    const known = inner.reduce((sum, one) => sum + (one?.known ?? 0), literal(form));
    if (best && best.known >= known) continue;
    const said = form.names.map((name, index) => [name, inner[index]?.text ?? values[index] ?? '']);
    best = { text: t(form.message, Object.fromEntries(said)), known };
  }
  return best;
}

function sorted(messages: readonly string[]): Form[] {
  return messages.map(formOf).sort((a, b) => literal(b) - literal(a));
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The message with the most text of its own is the one that was meant. */
function literal({ parts }: Form): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
