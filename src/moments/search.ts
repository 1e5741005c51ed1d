import type { Moment } from './moment.ts';

/** Everything except letters and digits. `searchVector` splits names such as db-1.example.com:9100 in the same way. */
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
    source === undefined ? [] : [lexeme(sourceFacet(source))],
  ].filter((group) => group.length > 0);
  return groups.length === 0 ? null : groups.map((group) => `(${group.join(' | ')})`).join(' & ');
}

function sourceFacet(source: string): string {
  return `=source ${[...lowered(source)].slice(0, 400).join('')}`;
}

/** Only the beginning of a description is searched, because each word costs time when the moment is recorded. */
const MOST_OF_DESCRIPTION = 1_000;
/** In bytes; PostgreSQL refuses longer words. */
const LONGEST_WORD = 2_046;
/** PostgreSQL reads 1e5 at the beginning of a word as a number, and the rest as another word. */
const NUMBER_AND_MORE = /^\d+e\d+(?=\D)/u;

/**
 * The facets and words of a moment as the text of a `tsvector`: the same as PostgreSQL's `to_tsvector`, in a fraction
 * of its time. The trigger `words_of_moment` does this for rows that are written without them.
 */
export function searchVector({
  type,
  priority,
  source,
  name,
  description,
}: Pick<Moment, 'type' | 'priority' | 'source' | 'name' | 'description'>): string {
  const text = `${name} ${source ?? ''} ${(description ?? '').slice(0, MOST_OF_DESCRIPTION)}`;
  const facets = [`=type ${type}`, `=priority ${priority}`, sourceFacet(source ?? '')].map(lexeme);
  const words = lowered(text).split(SEPARATORS).flatMap(parsed);
  return [...facets, ...words.map((word, index) => `'${word}':${index + 1}`)].join(' ');
}

/** Like PostgreSQL, for which a letter stays one letter wherever it stands. */
function lowered(text: string): string {
  return text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();
}

function parsed(word: string): string[] {
  if (word === '' || Buffer.byteLength(word) > LONGEST_WORD) return [];
  const [number] = NUMBER_AND_MORE.exec(word) ?? [];
  return number === undefined ? [word] : [number, ...parsed(word.slice(number.length))];
}

function lexeme(text: string): string {
  return `'${text.replaceAll('\u0000', '').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
