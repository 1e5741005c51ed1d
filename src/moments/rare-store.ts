import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** With more matches, reading the newest moments soon finds a page of them. */
const RARE = 2_000;
/** Where the index stops. It is far enough above the other limit to be sure that fewer matches are all. */
const INDEX_LIMIT = 5_000;

/**
 * The ids of all moments, of any organization, that match a search, if there are few; null if there are many. PostgreSQL's
 * planner cannot know this (it estimates half a percent for every unknown word) and would read all moments to find none.
 * The cost is bounded, because the index returns at most some thousands.
 *
 * `words` is for `to_tsquery`, `facets` a `tsquery`; at least one is given.
 */
export async function findRare(
  db: Database,
  words: string | null,
  facets: string | null,
): Promise<string[] | null> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('gin_fuzzy_search_limit', ${String(INDEX_LIMIT)}, true),
        set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(tx);
    const asked =
      words === null
        ? sql`${facets}::tsquery`
        : facets === null
          ? sql`to_tsquery('simple', ${words})`
          : sql`to_tsquery('simple', ${words}) && ${facets}::tsquery`;
    const { rows } = await sql<{ id: string }>`
      select id from moments where search @@ (${asked}) limit ${RARE + 1}`.execute(tx);
    return rows.length > RARE ? null : rows.map((row) => row.id);
  });
}
