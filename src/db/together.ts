import { type DatabaseConnection, PostgresDialect, type QueryExecutor, Transaction } from 'kysely';
import type { Tx } from './database.ts';
import type { DB } from './schema.ts';

/** PostgreSQL's error for a statement after a failed one. It does not contain the cause. */
const AFTER_A_FAILURE = '25P02';

/**
 * Runs independent statements of one transaction in a single round trip. In a storm, when every turn of the event loop
 * takes long, round trips are most of a page's waiting time. The database runs the statements in order, so locks are
 * taken in that order.
 *
 * Each of `parts` gets the transaction to run in. Resolves when all have succeeded. If some failed, even before they
 * sent a statement, rejects with the first error after all have ended, so that nothing is running when the caller rolls
 * back, and nothing runs outside the transaction.
 */
export function together<Results extends readonly unknown[]>(
  tx: Tx,
  parts: readonly [...{ [Index in keyof Results]: (side: Tx) => Promise<Results[Index]> }],
): Promise<Results> {
  const executor = tx.getExecutor();
  // Kysely makes statements wait for the connection one by one; the driver can send several at once.
  return executor.provideConnection(async (connection) => {
    const inside = insideOf(executor, connection);
    const ended = await Promise.allSettled(parts.map(async (part) => part(inside)));
    const failures = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
    if (failures.length > 0) throw failures.find((error) => !cameAfter(error)) ?? failures[0];
    return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Results;
  });
}

/** The transaction that is open on this connection. Statements are sent at once, even while others are under way. */
export function insideOf(executor: QueryExecutor, connection: DatabaseConnection): Tx {
  const side = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
  return new Transaction<DB>({ ...UNUSED, executor: side });
}

function cameAfter(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === AFTER_A_FAILURE;
}

/** Kysely's `Transaction` requires a dialect, with which it would open transactions. That never happens inside one. */
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('no transaction is opened inside of another')),
});
const UNUSED = { config: { dialect }, dialect, driver: dialect.createDriver() };
