import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from './database.ts';
import { shortTransaction } from './short-transaction.ts';
import { together } from './together.ts';

/**
 * Makes a query that takes the first rows of a queue read an index in order and stop early. Otherwise, the planner may
 * read and sort the whole queue: its statistics say that the queue is nearly empty, so each query would take longer the
 * longer the queue is. `take` must send exactly one query at once, in the order of an index, without any other sort:
 * before PostgreSQL 18, a disabled sort adds so much cost that all plans look alike and are compiled. Adds no round
 * trip.
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

/** The rows of a query that reads the first rows of a queue, in a transaction of two round trips. */
export async function readInIndexOrder<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  const first = (tx: Tx) => inIndexOrder(tx, (side) => query.execute(side));
  const { result } = await shortTransaction(db, { ahead: null, first }, async (_, { rows }) => ({
    ...{ result: rows, last: [], after: null },
  }));
  return result;
}
