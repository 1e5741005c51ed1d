import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';

/**
 * A schedule whose shifts end a week earlier than they should (half of a plan of a single week), locked; null when
 * there is none, or other nodes have them all. `except`: schedules to leave out.
 */
export async function lockPlanThatRunsOut(
  tx: Tx,
  at: Temporal.Instant,
  except: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from schedules
    where (planned_until is null or planned_until
        < ${at}::timestamptz + greatest(plan_ahead_weeks - 1, plan_ahead_weeks / 2.0) * interval '7 days')
      and not id = any(${except}::text[])
    order by planned_until nulls first, id limit 1
    for no key update skip locked`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Enabled schedules that apply covers and have a shift to come whose planned person is away for some of it, by id;
 * `among`: only these, null for all.
 */
export async function plansToRepair(
  db: Handle,
  at: Temporal.Instant,
  among: readonly string[] | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with applying as materialized (
      select id from schedules
      where enabled and cover = 'apply' and (${among}::text[] is null or id = any(${among}::text[]))
    -- One look at each record, however many shifts there are to compare with.
    ), absences as materialized (
      select user_id, range_agg(tstzrange(starts_at, ends_at)) as times from availabilities
      where type = 'hard_unavailable' and ends_at > ${at}
        and user_id in (select user_id from stage_members where schedule_id in (select id from applying))
      group by user_id
    )
    select id from applying
    where exists (
      select from shifts shift join absences on absences.user_id = shift.planned_user_id
      where shift.schedule_id = applying.id
        and tstzrange(shift.starts_at, shift.ends_at) && tstzrange(${at}, null)
        -- What has begun stays with whoever has it.
        and coalesce(shift.planned_starts_at, shift.starts_at) > ${at}
        and absences.times && tstzrange(coalesce(shift.planned_starts_at, shift.starts_at),
          coalesce(shift.planned_ends_at, shift.ends_at)))
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks a schedule that still has to be repaired; false when it has not, or another node is at it. */
export async function lockPlanToRepair(tx: Tx, at: Temporal.Instant, scheduleId: string): Promise<boolean> {
  const { rows } = await sql`
    select from schedules where id = ${scheduleId} for no key update skip locked`.execute(tx);
  return rows.length > 0 && (await plansToRepair(tx, at, [scheduleId], 1)).length > 0;
}
