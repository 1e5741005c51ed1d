import { locale, t } from './contract.ts';

/** A stored message, taken apart to find it again in a text that was made from it. */
export type Form = {
  message: string;
  /** The literal parts before, between and after the values. */
  parts: readonly string[];
  names: readonly string[];
};

const ARGUMENT = /\{(\w+)\}/g;

/**
 * A text in the current language if it was made of one of these messages; any other text, such as what a person or another
 * tool wrote, is unchanged. The values stay as they are. For texts that stand among those of others, where `storedText`
 * would compare too much.
 */
export function storedTextOf(forms: readonly Form[], text: string): string {
  if (locale() === 'en') return text;
  for (const { message, ...form } of forms) {
    const values = valuesIn(text, form);
    if (values) return t(message, Object.fromEntries(form.names.map((name, at) => [name, values[at] ?? ''])));
  }
  return text;
}

/** `message`: as in the catalogue, with ` [[context]]` where it has one. */
export function formOf(message: string): Form {
  const text = message.replace(/ \[\[[^\]]*\]\]$/, '');
  const names = [...text.matchAll(ARGUMENT)].map(([, name = '']) => name);
  return { message, names, parts: text.split(ARGUMENT).filter((_, index) => index % 2 === 0) };
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
