import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/person-store.ts';
import type { PersonShift, TimelineRecord, TimelineShift } from './timeline-contract.ts';

type Range = { from: Temporal.Instant; to: Temporal.Instant };

/** Undefined if the organization has no such schedule. `until` is null if it was never planned. */
export async function findTimeline(
  db: Handle,
  organizationId: string,
  scheduleId: string,
): Promise<{ until: Temporal.Instant | null; timeZone: string } | undefined> {
  return db
    .selectFrom('schedules')
    .select(['planned_until as until', 'time_zone as timeZone'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', scheduleId)
    .executeTakeFirst();
}

/** The shifts of a schedule that overlap a time, gaps included, by start, stage and seat. */
export async function timelineShifts(db: Handle, scheduleId: string, range: Range): Promise<TimelineShift[]> {
  const { rows } = await sql<TimelineShift>`
    select h.id, h.stage, h.seat, ${utcText('h.starts_at')} as starts_at, ${utcText('h.ends_at')} as ends_at,
      ${personJson('u')} as person,
      u.id is not null and exists (select from availabilities a where a.user_id = u.id
        and a.type = 'hard_unavailable' and a.starts_at < h.ends_at and a.ends_at > h.starts_at) as away,
      case when h.override_id is not null and h.planned_starts_at is null and h.planned_user_id is null then null
        else jsonb_build_object('person', ${personJson('p')}, 'starts_at', ${utcText('coalesce(h.planned_starts_at, h.starts_at)')},
          'ends_at', ${utcText('coalesce(h.planned_ends_at, h.ends_at)')}) end as planned,
      case when o.id is null then null else jsonb_build_object('id', o.id, 'created_by', ${personJson('c')},
        'created_at', ${utcText('o.created_at')}) end as override,
      ${utcText('h.created_at')} as created_at, ${utcText('h.updated_at')} as updated_at
    from shifts h
    left join users u on u.id = h.user_id
    left join users p on p.id = h.planned_user_id
    left join overrides o on o.id = h.override_id
    left join users c on c.id = o.created_by
    where h.schedule_id = ${scheduleId}
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${range.from}, ${range.to})
    order by h.starts_at, h.stage, h.seat, h.id`.execute(db);
  return rows;
}

/** When a shift begins; undefined if the schedule has no such shift. */
export async function shiftStart(
  db: Handle,
  organizationId: string,
  scheduleId: string,
  shiftId: string,
): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('shifts')
    .select('starts_at')
    .where('organization_id', '=', organizationId)
    .where('schedule_id', '=', scheduleId)
    .where('id', '=', shiftId)
    .executeTakeFirst();
  return row?.starts_at;
}

/** Availability records of a schedule's members and backstop that overlap a time, by start. */
export async function timelineRecords(
  db: Handle,
  scheduleId: string,
  range: Range,
): Promise<TimelineRecord[]> {
  const { rows } = await sql<TimelineRecord>`
    select a.id, ${personJson('u')} as person, a.type, a.name,
      ${utcText('a.starts_at')} as starts_at, ${utcText('a.ends_at')} as ends_at
    from availabilities a join users u on u.id = a.user_id and u.disabled_at is null
    where a.user_id in (
        select user_id from stage_members where schedule_id = ${scheduleId}
        union select backstop_user_id from schedules where id = ${scheduleId})
      and a.ends_at > ${range.from} and a.starts_at < ${range.to}
    order by a.starts_at, a.id`.execute(db);
  return rows;
}

/** The shifts of a person in enabled schedules that overlap a time, by start. */
export async function personShifts(
  db: Handle,
  organizationId: string,
  userId: string,
  range: Range,
): Promise<PersonShift[]> {
  const { rows } = await sql<PersonShift>`
    select h.id, jsonb_build_object('id', s.id, 'name', s.name, 'time_zone', s.time_zone) as schedule,
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team, h.stage, h.seat,
      ${utcText('h.starts_at')} as starts_at, ${utcText('h.ends_at')} as ends_at
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled join teams t on t.id = s.team_id
    where h.organization_id = ${organizationId} and h.user_id = ${userId}
      and h.starts_at < ${range.to} and h.ends_at > ${range.from}
    order by h.starts_at, h.stage, h.id`.execute(db);
  return rows;
}
