import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** Locks a schedule whose plan depends on something that changed; null if there is none, or other nodes hold them. */
export async function lockPlanThatChanged(
  tx: Tx,
  _at: Temporal.Instant,
  except: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from schedules where replan_since is not null and not id = any(${except}::text[])
    order by replan_since, id limit 1 for no key update skip locked`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Locks a schedule that is planned a week less far ahead than it should be (half a week if it plans one week).
 * `except`: schedules to leave out.
 * @returns null if there is none, or other nodes hold them
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
