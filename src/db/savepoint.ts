import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { together } from './together.ts';

/**
 * Runs `work` in a savepoint, and undoes its changes to the database unless it resolves with true. Rejects if `work`
 * does. The transaction can continue then, unless the connection is lost. Calls must not be nested. `patienceMs`: how long a
 * statement of the work waits for a lock, as long as usual if left out.
 */
export async function keepIf(
  tx: Tx,
  work: (inside: Tx) => Promise<boolean>,
  patienceMs?: number,
): Promise<boolean> {
  let kept = false;
  try {
    // The first statement of the work does not wait for the answer to the savepoint.
    [, , kept] = await together(tx, [
      (side) => sql`savepoint before_trying`.execute(side),
      async (side) => patienceMs && sql.raw(`set local lock_timeout = ${patienceMs}`).execute(side),
      work,
    ]);
  } finally {
    const end = kept ? sql`release savepoint before_trying` : sql`rollback to savepoint before_trying`;
    await together(tx, [
      (side) => end.execute(side),
      async (side) => patienceMs && sql`set local lock_timeout to default`.execute(side),
    ]);
  }
  return kept;
}
