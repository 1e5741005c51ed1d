/** Whatever is neither letter nor digit; the search column separates names such as db-1.example.com:9100 likewise. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/** Nobody types more, and each word costs. */
const MOST_WORDS = 20;

/** Every word, or beginning of a word, must be there: in the form that `to_tsquery` reads. Null: nothing to look for. */
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

/** Facets as the search column holds them (no word begins with `=`), in the form of a `tsquery`. Null: any will do. */
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
