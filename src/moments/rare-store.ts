import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Above this number of matches, reading the newest moments finds a page of them soon. */
const RARE = 2_000;
/** Where the index stops: enough above the other for "fewer" to mean that these are all. */
const INDEX_LIMIT = 5_000;

/**
 * The ids of all moments, of any organization, that a search matches, when they are few; null when they are many. The
 * planner cannot know which (it takes every unknown word for half a percent), and would read all that ever was to find
 * what is not there. The cost is bounded on both sides: the index gives no more than some thousands.
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
