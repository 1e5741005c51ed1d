import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { noteProblem } from '../problems/store.ts';
import type { Alarm } from './alarms.ts';

const SUBJECT = 'service:';

/** Writes a sign of life of this node. Fails when the database takes no writes, which is what it is for. */
export async function signOfLife(db: Database, clock: Clock, node: number): Promise<void> {
  await db.updateTable('nodes').set({ seen_at: clock.sql }).where('id', '=', node).execute();
}

/** Opens or counts the problem. Returns since when it is open. */
export async function noteAlarm(tx: Tx, clock: Clock, alarm: Alarm): Promise<Temporal.Instant> {
  const subject = SUBJECT + alarm.code;
  await noteProblem(tx, clock, { ...alarm, organizationId: null, subject, count: 1 });
  const { first_at } = await tx
    .selectFrom('problems')
    .select('first_at')
    .where('subject', '=', subject)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return first_at;
}

/** What was open of these kinds is over. */
export async function closeAlarms(db: Handle, clock: Clock, kinds: readonly string[]): Promise<void> {
  await sql`
    update problems set closed_at = ${clock.sql}
    where closed_at is null and organization_id is null and subject = any(${kinds.map((kind) => SUBJECT + kind)}::text[])`.execute(
    db,
  );
}

export async function ownersEverywhere(db: Handle): Promise<{ organizationId: string; userId: string }[]> {
  const { rows } = await sql<{ organizationId: string; userId: string }>`
    select organization_id as "organizationId", id as "userId" from users
    where role = 'owner' and disabled_at is null order by id`.execute(db);
  return rows;
}
