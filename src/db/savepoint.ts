import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Runs `work` in a savepoint, and undoes its changes to the database unless it resolves with true. Rejects if `work`
 * does. The transaction can continue then, unless the connection is lost. Calls must not be nested.
 */
export async function keepIf(tx: Tx, work: () => Promise<boolean>): Promise<boolean> {
  await sql`savepoint before_trying`.execute(tx);
  let kept = false;
  try {
    kept = await work();
  } finally {
    await (kept ? sql`release savepoint before_trying` : sql`rollback to savepoint before_trying`).execute(
      tx,
    );
  }
  return kept;
}
