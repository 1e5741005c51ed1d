import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Runs `work` in a savepoint, and undoes what it did in the database unless it resolves with true. Rejects when `work` does; the
 * transaction can go on then, unless the connection is gone. Not for use inside itself.
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
