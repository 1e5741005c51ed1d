import type { Handle } from '../../db/database.ts';
import type { Reason } from '../../schedules/planner.ts';

export type ReasonedShift = {
  id: string;
  stage: number;
  userId: string | null;
  from: number;
  to: number;
  reason: Reason | null;
  timeZone: string;
  restMs: number;
};

/** A shift as it was planned, with the reason why its person has it. */
export async function findShift(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<ReasonedShift | null> {
  const row = await db
    .selectFrom('shifts')
    .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
    .select(['shifts.id', 'stage', 'planned_user_id', 'starts_at', 'ends_at', 'planned_starts_at'])
    .select(['planned_ends_at', 'reason', 'time_zone', 'rest_hours'])
    .where('shifts.organization_id', '=', organizationId)
    .where('shifts.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    stage: row.stage,
    userId: row.planned_user_id,
    from: (row.planned_starts_at ?? row.starts_at).epochMilliseconds,
    to: (row.planned_ends_at ?? row.ends_at).epochMilliseconds,
    reason: row.reason as Reason | null,
    timeZone: row.time_zone,
    restMs: row.rest_hours * 3_600_000,
  };
}
