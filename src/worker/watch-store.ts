import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { noteProblem } from '../problems/store.ts';
import type { Alarm } from './alarms.ts';

const SUBJECT = 'service:';

/** Writes a sign of life of this node. It fails when the database accepts no writes, which is its purpose. */
export async function signOfLife(db: Database, clock: Clock, node: number): Promise<void> {
  await db.updateTable('nodes').set({ seen_at: clock.sql }).where('id', '=', node).execute();
}

/** Opens the problem or counts it again. Returns when it was opened. */
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

/** Closes the open alarms of these kinds. */
export async function closeAlarms(db: Handle, clock: Clock, kinds: readonly string[]): Promise<void> {
  await sql`
    update problems set closed_at = ${clock.sql}
    where closed_at is null and organization_id is null and subject = any(${kinds.map((kind) => SUBJECT + kind)}::text[])`.execute(
    db,
  );
}

/** The running lifeboat with the oldest copy, if that is older than a day. */
export async function findOldLifeboat(db: Handle): Promise<{ host: string; hours: number } | null> {
  const { rows } = await sql<{ host: string; hours: number }>`
    select host, floor(extract(epoch from now() - copied_at) / 3600)::integer as hours from lifeboats
    where seen_at > now() - interval '1 hour' and copied_at < now() - interval '24 hours'
    order by copied_at limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function ownersEverywhere(db: Handle): Promise<{ organizationId: string; userId: string }[]> {
  const { rows } = await sql<{ organizationId: string; userId: string }>`
    select organization_id as "organizationId", id as "userId" from users
    where role = 'owner' and disabled_at is null order by id`.execute(db);
  return rows;
}
