import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** With more matches, reading the newest rows soon finds a page of them. */
const RARE = 2_000;
/**
 * The most ids that the index returns. Far enough above the other limit that a smaller number of matches is certainly
 * complete.
 */
const INDEX_LIMIT = 5_000;

/**
 * The ids of all rows, of any organization, that match a search of words, if there are few; null if there are many. PostgreSQL's
 * planner cannot know this (it estimates half a percent for every unknown word) and would read a whole table to find none.
 * The cost is bounded, because the index returns at most some thousands.
 *
 * `matching` selects the `id` of rows by a condition that a GIN index serves.
 */
export async function findRare(db: Database, matching: RawBuilder<unknown>): Promise<string[] | null> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('gin_fuzzy_search_limit', ${String(INDEX_LIMIT)}, true),
        set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(tx);
    const { rows } = await sql<{ id: string }>`${matching} limit ${RARE + 1}`.execute(tx);
    return rows.length > RARE ? null : rows.map((row) => row.id);
  });
}
