import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** How many of a webhook's newest calls failed one after the other, `limit` at most; calls that wait do not count. */
export async function lastFailures(db: Handle, webhookId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ state: string }>`
    select state from received_notifications
    where webhook_id = ${webhookId} and state <> 'queued'
    order by id desc limit ${limit}`.execute(db);
  const well = rows.findIndex(({ state }) => state !== 'error');
  return well < 0 ? rows.length : well;
}
