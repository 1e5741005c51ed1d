import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { LinkedSchedule } from './linked-stages.ts';

/**
 * Shifts, including those of linked stages. The columns are those of `shifts` that show who is on call, with the
 * schedule and the stage in which the person answers. `of_schedule` is the schedule that the shift belongs to.
 */
export const ON_CALL: RawBuilder<unknown> = sql`(
  select id, schedule_id, stage, seat, user_id, starts_at, ends_at, schedule_id as of_schedule from shifts
  union all
  select own.id, link.schedule_id, link.stage, own.seat, own.user_id, own.starts_at, own.ends_at, own.schedule_id
  from schedule_stages link join shifts own
    on own.schedule_id = link.linked_schedule_id and own.stage = link.linked_stage)`;

/** All schedules of an organization, with the properties that the rules of links use. */
export async function linkedSchedules(db: Handle, organizationId: string): Promise<LinkedSchedule[]> {
  const { rows } = await sql<LinkedSchedule>`
    select s.id, s.name, s.enabled, coalesce((
      select jsonb_agg(jsonb_build_object('stage', stage.stage, 'linkedTo', case when stage.linked_schedule_id is not null
        then jsonb_build_object('scheduleId', stage.linked_schedule_id, 'stage', stage.linked_stage) end) order by stage.stage)
      from schedule_stages stage where stage.schedule_id = s.id), '[]') as stages
    from schedules s where s.organization_id = ${organizationId} order by s.name, s.id`.execute(db);
  return rows;
}

/** Keeps these schedules from being changed until the transaction ends. */
export async function keepSchedules(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`select from schedules where organization_id = ${organizationId} and id = any(${ids}::text[])
    order by id for share`.execute(tx);
}
