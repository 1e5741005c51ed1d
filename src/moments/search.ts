/** Everything but letters and digits. The search column splits names such as db-1.example.com:9100 in the same way. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/** Nobody types more words, and each one costs time. */
const MOST_WORDS = 20;

/** A query for `to_tsquery` that requires every word, or beginning of a word. Null for an empty search. */
export function wordQuery(text: string): string | null {
  const words = text.split(SEPARATORS).filter(Boolean);
  return words.length === 0
    ? null
    : words
        .slice(0, MOST_WORDS)
        .map((word) => `${lexeme(word)}:*`)
        .join(' & ');
}

export type Facets = { type?: readonly string[]; priority?: readonly string[]; source?: string };

/** A `tsquery` for facets as the search column stores them (no word begins with `=`). Null without facets. */
export function facetQuery({ type, priority, source }: Facets): string | null {
  const groups = [
    (type ?? []).map((word) => lexeme(`=type ${word}`)),
    (priority ?? []).map((word) => lexeme(`=priority ${word}`)),
    source === undefined ? [] : [lexeme(`=source ${[...source.toLowerCase()].slice(0, 400).join('')}`)],
  ].filter((group) => group.length > 0);
  return groups.length === 0 ? null : groups.map((group) => `(${group.join(' | ')})`).join(' & ');
}

function lexeme(text: string): string {
  return `'${text.replaceAll('\u0000', '').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
