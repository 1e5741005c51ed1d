import { PostgresDialect, Transaction } from 'kysely';
import type { Tx } from './database.ts';
import type { DB } from './schema.ts';

/** PostgreSQL's word for a statement that came after one that failed: it says nothing of why. */
const AFTER_A_FAILURE = '25P02';

/**
 * Runs statements of one transaction that need nothing of each other's results. They travel together and cost one
 * round trip instead of one each; in a storm, when every turn of the event loop is long, that is most of what a page
 * waits for. The database runs them one after the other, in the order in which they were begun, so that locks are
 * taken as they are written here.
 *
 * Each of `parts` gets the transaction to run in. Resolves when all are done; when some failed, also before they had
 * asked for anything, rejects with the first one's error, but not before the last one ended: nothing is under way any
 * more when the caller rolls back, and nothing of it runs outside of the transaction.
 */
export function together<Results extends readonly unknown[]>(
  tx: Tx,
  parts: readonly [...{ [Index in keyof Results]: (side: Tx) => Promise<Results[Index]> }],
): Promise<Results> {
  const executor = tx.getExecutor();
  // Kysely makes whoever asks wait in line for the connection; the driver sends what comes while others are under way.
  return executor.provideConnection(async (connection) => {
    const side = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
    const inside = new Transaction<DB>({ ...UNUSED, executor: side });
    const ended = await Promise.allSettled(parts.map(async (part) => part(inside)));
    const failures = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
    if (failures.length > 0) throw failures.find((error) => !cameAfter(error)) ?? failures[0];
    return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Results;
  });
}

function cameAfter(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === AFTER_A_FAILURE;
}

/** A transaction of Kysely's holds these to open others with, which one inside of another never does. */
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('no transaction is opened inside of another')),
});
const UNUSED = { config: { dialect }, dialect, driver: dialect.createDriver() };
