import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { together } from './together.ts';

/**
 * Runs a query that takes the first few of a queue, such that the database reads an index in its order and stops when it
 * has enough. Left to itself it may read all that waits and sort it: it believes that nearly nothing waits, since that is
 * how it found the table when it last counted, and the more has piled up, the longer every single take would last.
 *
 * `take` sends its one query at once, which orders by what an index orders by, and sorts nowhere else: before PostgreSQL
 * 18 a plan with a sort would count as so expensive that all others seem alike, and be worth compiling. Costs no round
 * trip of its own.
 */
export async function inIndexOrder<Result>(tx: Tx, take: (side: Tx) => Promise<Result>): Promise<Result> {
  const [, taken] = await together(tx, [
    (side) =>
      sql`select set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`.execute(side),
    take,
    (side) => sql`set local enable_sort to default`.execute(side),
  ]);
  return taken;
}
