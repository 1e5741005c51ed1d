import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** Schedules to check, and the rows in `cover_checks` that requested it. */
export type DueChecks = { ids: number[]; scheduleIds: string[] };

/** Reads up to `limit` checks, oldest first, and the schedules that they concern. */
export async function dueChecks(db: Handle, at: Temporal.Instant, limit: number): Promise<DueChecks> {
  const { rows: checks } = await sql<{ id: number; userId: string | null; scheduleId: string | null }>`
    select id, user_id as "userId", schedule_id as "scheduleId" from cover_checks order by id limit ${limit}`.execute(
    db,
  );
  const userIds = [...new Set(checks.flatMap(({ userId }) => userId ?? []))];
  const { rows: schedules } = await sql<{ id: string }>`
    select schedule_id as id from shifts
    where user_id = any(${userIds}::text[]) and ends_at > ${at}
      and starts_at > ${at}::timestamptz - interval '90 days'
    union
    select schedule_id from covers where user_id = any(${userIds}::text[]) and ends_at > ${at}
    union
    select schedule_id from covers where state in ('open', 'proposed') and ends_at <= ${at}`.execute(db);
  const named = checks.flatMap(({ scheduleId }) => scheduleId ?? []);
  return {
    ids: checks.map(({ id }) => id),
    scheduleIds: [...new Set([...named, ...schedules.map(({ id }) => id)])].sort(),
  };
}

export async function forgetChecks(db: Handle, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from cover_checks where id = any(${ids}::bigint[])`.execute(db);
}

/** Queues another check of a schedule's covers. */
export async function checkAgain(db: Handle, scheduleId: string): Promise<void> {
  await sql`insert into cover_checks (schedule_id) values (${scheduleId})`.execute(db);
}
