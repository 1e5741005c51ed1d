import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** A schedule of which something changed that its plan depends on, locked; null when there is none to be had. */
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
