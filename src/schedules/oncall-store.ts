import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { AcknowledgeTimeouts } from './acknowledge-timeout-contract.ts';

/** A schedule of a team with one stage and one shift of that stage; null fields where there is none. */
export type OnCallRow = {
  scheduleId: string;
  scheduleName: string;
  backstopUserId: string | null;
  stage: number | null;
  escalateAfterSeconds: number | null;
  shiftId: string | null;
  shiftUserId: string | null;
  shiftEndsAt: Temporal.Instant | null;
  awayId: string | null;
  awayName: string | null;
  awayUntil: Temporal.Instant | null;
};

/** Everything that paging a team needs, in one round trip: it runs in the transaction of a page's step. */
export async function onCallRows(
  db: Handle,
  organizationId: string,
  teamId: string,
  at: Temporal.Instant,
): Promise<OnCallRow[]> {
  return (await onCallQuery(organizationId, teamId, at).execute(db)).rows;
}

/** Minutes until acknowledged pages of each urgency notify again, for each enabled schedule of a team; 0 for never. */
export async function acknowledgeTimeouts(db: Handle, teamId: string): Promise<AcknowledgeTimeouts[]> {
  return db
    .selectFrom('schedules')
    .select([
      'acknowledge_timeout_minutes as high',
      'ask_again_medium_minutes as medium',
      'ask_again_low_minutes as low',
    ])
    .where('team_id', '=', teamId)
    .where('enabled', '=', true)
    .execute();
}

export function onCallQuery(
  organizationId: string,
  teamId: string,
  at: Temporal.Instant,
): RawBuilder<OnCallRow> {
  return sql<OnCallRow>`
    select schedule.id as "scheduleId", schedule.name as "scheduleName", backstop.id as "backstopUserId",
      stage.stage, stage.escalate_after_seconds as "escalateAfterSeconds",
      shift.id as "shiftId", shift.user_id as "shiftUserId", shift.ends_at as "shiftEndsAt",
      away.id as "awayId", away.name as "awayName", away.ends_at as "awayUntil"
    from schedules schedule
    left join users backstop on backstop.id = schedule.backstop_user_id and backstop.disabled_at is null
    left join schedule_stages stage on stage.schedule_id = schedule.id
    left join lateral (
      select shifts.id, shifts.user_id, shifts.seat, shifts.ends_at
      from shifts join users on users.id = shifts.user_id and users.disabled_at is null
      where shifts.schedule_id = schedule.id and shifts.stage = stage.stage
        and tstzrange(shifts.starts_at, shifts.ends_at) @> ${at}::timestamptz
    ) shift on true
    left join lateral (
      select id, name, ends_at from availabilities
      where user_id = shift.user_id and type = 'hard_unavailable'
        and starts_at <= ${at} and ends_at > ${at}
      order by ends_at desc, id limit 1
    ) away on true
    where schedule.organization_id = ${organizationId} and schedule.team_id = ${teamId} and schedule.enabled
    order by stage.stage, schedule.name, schedule.id, shift.seat`;
}
