import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { findRare } from '../db/rare.ts';

/**
 * The ids of all moments, of any organization, that match a search, if there are few; null if there are many.
 *
 * `words` is for `to_tsquery`, `facets` a `tsquery`; at least one is given.
 */
export function findRareMoments(
  db: Database,
  words: string | null,
  facets: string | null,
): Promise<string[] | null> {
  const asked =
    words === null
      ? sql`${facets}::tsquery`
      : facets === null
        ? sql`to_tsquery('simple', ${words})`
        : sql`to_tsquery('simple', ${words}) && ${facets}::tsquery`;
  return findRare(db, sql`select id from moments where search @@ (${asked})`);
}
