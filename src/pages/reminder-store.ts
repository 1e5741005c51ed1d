import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';

/** Acknowledged pages whose timeout or snooze has ended, oldest first. */
export async function dueReminders(db: Handle, clock: Clock, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pages')
    .select('id')
    .where('state', '=', 'acknowledged')
    .where('remind_at', '<=', clock.sql)
    .orderBy('remind_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function setReminder(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('pages').set({ remind_at: at }).where('id', '=', pageId).execute();
}

/** Postpones a reminder that failed, so that it does not block the others. */
export async function postponeReminder(
  db: Handle,
  clock: Clock,
  pageId: string,
  afterMs: number,
): Promise<void> {
  await sql`
    update pages set remind_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${pageId} and state = 'acknowledged'`.execute(db);
}

/** Whether the end of this acknowledgement was last set by a snooze. */
export async function isSnoozed(tx: Tx, pageId: string): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select kind from page_events where page_id = ${pageId} and kind in ('acknowledged', 'extended', 'snoozed')
    order by id desc limit 1`.execute(tx);
  return rows[0]?.kind === 'snoozed';
}
