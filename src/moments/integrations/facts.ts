import { plainMarkdown } from '../markdown.ts';

const VALUE_LIMIT = 300;
/** The longest list of names. */
const NAMES_LIMIT = 10;

export type Fact = [name: string, value: string | null];

/** Facts besides the text, a line each, as Markdown. The names are ours; external values are escaped. */
export function factLines(facts: readonly Fact[]): string | null {
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`**${name}:** ${oneLine(value)}`]));
  return lines.length > 0 ? lines.join('  \n') : null;
}

function oneLine(value: string): string {
  return plainMarkdown(value.slice(0, VALUE_LIMIT).replace(/\s+/g, ' ').trim());
}

/** The first names, joined; null if there is none. */
export function nameList(names: readonly (string | null)[]): string | null {
  const given = names.filter((name) => name !== null);
  const more = given.length - NAMES_LIMIT;
  const shown = given.slice(0, NAMES_LIMIT).map((name) => name.slice(0, 100));
  return given.length > 0 ? shown.join(', ') + (more > 0 ? ` and ${more} more` : '') : null;
}

/** Joins the existing parts with a blank line; null if there is none. */
export function paragraphs(...parts: (string | null)[]): string | null {
  return parts.filter(Boolean).join('\n\n') || null;
}
