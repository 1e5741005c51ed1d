import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { LayerDefinition } from './definition.ts';
import { type Pattern, storedPattern, type Version } from './pattern.ts';
import { nextGap, stagesAt } from './read-store.ts';
import type { ScheduleListed, ScheduleSettings, StageSettings } from './settings-contract.ts';

type Viewer = { organizationId: string; userId: string };

/** Every schedule, enabled or not, those of the viewer's teams first. */
export async function listScheduleOverview(
  db: Handle,
  viewer: Viewer,
  at: Temporal.Instant,
): Promise<Omit<ScheduleListed, 'reachable'>[]> {
  const { rows } = await sql<Omit<ScheduleListed, 'reachable'>>`
    select s.id, s.name, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team, s.enabled, s.time_zone,
      exists (select from team_members m where m.team_id = t.id and m.user_id = ${viewer.userId}) as mine,
      (select ${personJson('b')} from users b where b.id = s.backstop_user_id and b.disabled_at is null) as backstop,
      ${utcText('s.planned_until')} as planned_until,
      ${stagesAt(at)} as stages, ${nextGap(at)} as gap
    from schedules s join teams t on t.id = s.team_id
    where s.organization_id = ${viewer.organizationId}
    order by mine desc, lower(t.name), t.id, lower(s.name), s.id`.execute(db);
  return rows;
}

export type ShownStage = {
  stage: number;
  members: Person[];
  escalateAfterSeconds: number;
  seats: number;
  layers: LayerDefinition[] | null;
  linked_to: StageSettings['linked_to'];
};

/** A schedule as stored, with names of people. */
export type ShownSchedule = {
  id: string;
  name: string;
  team: { id: string; name: string; slug: string };
  relation: TeamRelation;
  description: string | null;
  enabled: boolean;
  timeZone: string;
  backstop: Person | null;
  strategy: 'fair' | 'rotation';
  planAheadWeeks: number;
  restHours: number;
  cover: 'propose' | 'apply';
  rounds: number;
  acknowledgeTimeoutMinutes: number;
  askAgainMediumMinutes: number;
  askAgainLowMinutes: number;
  pattern: Pattern;
  holidays: 'weight' | 'uncovered';
  /** As stored; null for the usual rules. */
  planning: unknown;
  stages: ShownStage[];
  links: ScheduleSettings['links'];
  plannedUntil: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
};

export async function findSchedule(db: Handle, viewer: Viewer, id: string): Promise<ShownSchedule | null> {
  const { rows } = await sql<ShownSchedule>`
    select s.id, s.name, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      ${relationJson('m')} as relation,
      s.description, s.enabled, s.time_zone as "timeZone", s.strategy, s.plan_ahead_weeks as "planAheadWeeks",
      s.rest_hours as "restHours", s.cover, s.rounds, s.acknowledge_timeout_minutes as "acknowledgeTimeoutMinutes",
      s.ask_again_medium_minutes as "askAgainMediumMinutes", s.ask_again_low_minutes as "askAgainLowMinutes", s.holiday_use as holidays, s.planning, s.pattern, s.planned_until as "plannedUntil",
      s.created_at as "createdAt", s.updated_at as "updatedAt",
      (select ${personJson('b')} from users b where b.id = s.backstop_user_id) as backstop,
      coalesce((
        select jsonb_agg(jsonb_build_object('stage', st.stage, 'escalateAfterSeconds', st.escalate_after_seconds,
          'seats', st.seats, 'layers', st.layers, 'linked_to', (
            select jsonb_build_object('schedule', target.id, 'name', target.name, 'stage', st.linked_stage)
            from schedules target where target.id = st.linked_schedule_id), 'members', coalesce((
            select jsonb_agg(${personJson('u')} order by sm.position, u.id)
            from stage_members sm join users u on u.id = sm.user_id
            where sm.schedule_id = s.id and sm.stage = st.stage and u.disabled_at is null), '[]')) order by st.stage)
        from schedule_stages st where st.schedule_id = s.id), '[]') as stages,
      coalesce((
        select jsonb_agg(jsonb_build_object('schedule', other.id, 'name', other.name, 'stage', link.stage,
          'target', link.linked_stage) order by other.name, other.id, link.stage)
        from schedule_stages link join schedules other on other.id = link.schedule_id
        where link.organization_id = s.organization_id and link.linked_schedule_id = s.id), '[]') as links
    from schedules s join teams t on t.id = s.team_id
    left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where s.organization_id = ${viewer.organizationId} and s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Whether another schedule of the organization has this name. */
export async function nameIsTaken(
  db: Handle,
  organizationId: string,
  name: string,
  exceptId: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from schedules where organization_id = ${organizationId} and name = ${name}
      and id is distinct from ${exceptId}`.execute(db);
  return rows.length > 0;
}

/** Patterns and time zones of a schedule's stages and layers. */
export type Timetables = {
  timeZone: string;
  holidayUse: 'weight' | 'uncovered';
  stages: { stage: number; layers: { versions: Version[]; timeZone: string }[] }[];
};

export async function findTimetables(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<Timetables | null> {
  const schedule = await db
    .selectFrom('schedules')
    .select(['time_zone', 'pattern', 'holiday_use'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!schedule) return null;
  const stages = await db
    .selectFrom('schedule_stages')
    .select(['stage', 'layers'])
    .where('schedule_id', '=', id)
    .where('linked_schedule_id', 'is', null)
    .orderBy('stage')
    .execute();
  const own = { versions: storedPattern(schedule.pattern).versions, timeZone: schedule.time_zone };
  return {
    timeZone: schedule.time_zone,
    holidayUse: schedule.holiday_use,
    stages: stages.map(({ stage, layers }) => ({
      stage,
      layers: (layers as LayerDefinition[] | null)?.map(({ pattern, timeZone }) => ({
        versions: pattern ? storedPattern(pattern).versions : own.versions,
        timeZone: timeZone ?? own.timeZone,
      })) ?? [own],
    })),
  };
}

/**
 * The public holidays of a schedule from `from` to `to`, inclusive, as local dates such as `2026-12-25`. They come from
 * its own calendars, or from those of the organization if it has none.
 */
export async function holidaysOf(
  db: Handle,
  scheduleId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Set<string>> {
  return new Set((await namedHolidaysOf(db, scheduleId, from, to)).map(({ date }) => date));
}

/** Like `holidaysOf`, with names, in order. */
export async function namedHolidaysOf(
  db: Handle,
  scheduleId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<{ date: string; name: string }[]> {
  const { rows } = await sql<{ date: string; name: string }>`
    with schedule as (select id, organization_id from schedules where id = ${scheduleId}),
    followed as (
      select calendar.id from holiday_calendars calendar
      join schedule on schedule.organization_id = calendar.organization_id
      where calendar.schedule_id = schedule.id
        or (calendar.schedule_id is null
          and not exists (select from holiday_calendars own where own.organization_id = schedule.organization_id
            and own.schedule_id = schedule.id))
    )
    select date, min(name) as name from holidays
    where calendar_id in (select id from followed)
      and date between ${from.toString()}::date and ${to.toString()}::date
    group by date order by date`.execute(db);
  return rows;
}

/** Holidays by schedule id, for all schedules of an organization that have any. */
export async function holidaysOfAll(
  db: Handle,
  organizationId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ scheduleId: string; dates: string[] }>`
    select schedule.id as "scheduleId", array_agg(distinct holidays.date::text) as dates
    from schedules schedule
    join holiday_calendars calendar on calendar.organization_id = schedule.organization_id
      and (calendar.schedule_id = schedule.id
        or (calendar.schedule_id is null and not exists (select from holiday_calendars own
          where own.organization_id = schedule.organization_id and own.schedule_id = schedule.id)))
    join holidays on holidays.calendar_id = calendar.id
      and holidays.date between ${from.toString()}::date and ${to.toString()}::date
    where schedule.organization_id = ${organizationId}
    group by schedule.id`.execute(db);
  return new Map(rows.map(({ scheduleId, dates }) => [scheduleId, new Set(dates)]));
}
