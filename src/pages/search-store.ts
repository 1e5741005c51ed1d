import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { findRare } from '../db/rare.ts';

/**
 * Whether a page `p` has these words, given for `to_tsquery`. It matches `pages_words`; names such as db-1.example.com
 * are split as in moments.
 */
export function hasWords(words: string): RawBuilder<boolean> {
  return sql<boolean>`to_tsvector('simple', translate(p.title || ' ' || p.text, './\\:@_=&?#%+~-', '              '))
    @@ to_tsquery('simple', ${words})`;
}

/**
 * The ids of all closed pages, of any organization, that have these words, if there are few; null if there are many.
 * Open pages are not in the index, so that raising one costs nothing.
 */
export function findRarePages(db: Database, words: string): Promise<string[] | null> {
  return findRare(
    db,
    sql`select p.id from pages p where p.state in ('resolved', 'expired') and ${hasWords(words)}`,
  );
}
