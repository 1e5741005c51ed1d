import { type RawBuilder, sql } from 'kysely';
import { repeatsOf, shownName } from '../availability/store.ts';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { type MethodType, PUBLISHED_TYPES } from '../notifications/channels/contract.ts';
import { type Notifiable, notifiableJson } from '../people/contact-store.ts';
import type { OnCallNow, ShiftAhead } from '../people/persons/shifts.ts';
import { learnsFrom, shadowsIn } from '../people/shadow-store.ts';
import { personJson } from '../people/store.ts';
import type { AcknowledgeTimeouts } from './acknowledge-timeout-contract.ts';
import type { ScheduleNow, TeamNow } from './api-contract.ts';
import { LONGEST_SHIFT } from './longest-shift-contract.ts';
import type { Range } from './range.ts';
import type { PersonShift, TimelineRecord, TimelineShift } from './timeline-contract.ts';

/**
 * Shifts, including those of linked stages. The columns are those of `shifts` that show who is on call, with the
 * schedule and the stage in which the person answers. `of_schedule` is the schedule that the shift belongs to.
 */
const ON_CALL: RawBuilder<unknown> = sql`(
  select id, schedule_id, stage, seat, user_id, starts_at, ends_at, schedule_id as of_schedule from shifts
  union all
  select own.id, link.schedule_id, link.stage, own.seat, own.user_id, own.starts_at, own.ends_at, own.schedule_id
  from schedule_stages link join shifts own
    on own.schedule_id = link.linked_schedule_id and own.stage = link.linked_stage)`;

export type ScheduleRow = {
  id: string;
  name: string;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  description: string | null;
  enabled: boolean;
  backstopId: string | null;
  backstopName: string | null;
  backstopEmail: string | null;
};

/** Schedules of an organization by name, then id; `name` null for all. */
export async function listSchedules(
  db: Handle,
  organizationId: string,
  name: string | null,
  page: { limit: number; offset: number },
): Promise<{ total: number; schedules: ScheduleRow[] }> {
  const matching = db
    .selectFrom('schedules')
    .where('schedules.organization_id', '=', organizationId)
    .$if(name !== null, (query) => query.where('schedules.name', '=', name));
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const schedules = await matching
    .leftJoin('users as backstop', 'backstop.id', 'schedules.backstop_user_id')
    .select([
      'schedules.id',
      'schedules.name',
      'schedules.created_at as createdAt',
      'schedules.updated_at as updatedAt',
      'schedules.description',
      'schedules.enabled',
      'backstop.id as backstopId',
      'backstop.name as backstopName',
      'backstop.email as backstopEmail',
    ])
    .orderBy(sql`schedules.name collate "C"`)
    .orderBy('schedules.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, schedules };
}

/** Whether the organization has this schedule, enabled or not. */
export async function scheduleExists(db: Handle, organizationId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('schedules')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export type ContactRow = { type: MethodType; value: string; chatUserId: string | null };
export type OncallRow = {
  scheduleId: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  userId: string;
  userName: string;
  userEmail: string;
  contactMethods: ContactRow[];
};

type Period = { start: Temporal.Instant; end: Temporal.Instant };

/**
 * Shifts of a schedule with a person that overlap the range, or contain its instant if start and end are equal, by
 * start, then stage. Disabled people are on call only in shifts that began before they were disabled.
 */
export async function listOncalls(
  db: Handle,
  scheduleId: string,
  range: Period,
  page: { limit: number; offset: number },
): Promise<OncallRow[]> {
  return oncallsWhere(db, sql`shifts.schedule_id = ${scheduleId}`, range, page);
}

/** The same for the enabled schedules of all organizations, without people who are disabled now. */
export async function listAllOncalls(db: Handle, range: Period, limit: number): Promise<OncallRow[]> {
  const matching = sql`users.disabled_at is null and shifts.schedule_id in (
    select schedules.id from schedules join organizations on organizations.id = schedules.organization_id
    where schedules.enabled and not organizations.hidden)`;
  return oncallsWhere(db, matching, range, { limit, offset: 0 });
}

type Viewer = { organizationId: string; userId: string };

/** The enabled schedules of the viewer's teams, and those in which the viewer is on call in a range. */
function concerning({ organizationId, userId }: Viewer, range: Period): RawBuilder<unknown> {
  return sql`(select schedules.id from schedules
    where schedules.organization_id = ${organizationId} and schedules.enabled and (
      schedules.team_id in (select team_id from team_members where user_id = ${userId})
      or exists (select from shifts own where own.schedule_id = schedules.id and own.user_id = ${userId}
        and own.starts_at < ${range.end} and own.ends_at > ${range.start})))`;
}

/** The shifts of the schedules that concern a viewer, without people who are disabled now. */
export async function listOncallsOf(
  db: Handle,
  viewer: Viewer,
  range: Period,
  limit: number,
): Promise<OncallRow[]> {
  const matching = sql`users.disabled_at is null and shifts.schedule_id in ${concerning(viewer, range)}`;
  return oncallsWhere(db, matching, range, { limit, offset: 0 });
}

/** The verified contact methods of a person, in their own order; `user` is the column with their id. */
const contactsOf = (user: string) => sql`(
  select jsonb_agg(jsonb_build_object('type', type, 'value', value, 'chatUserId', chat_user_id)
    order by position, id) as methods
  from contact_methods
  where user_id = ${sql.raw(user)} and verified_at is not null and type = any(${PUBLISHED_TYPES}::text[])
)`;

async function oncallsWhere(
  db: Handle,
  matching: RawBuilder<unknown>,
  range: Period,
  page: { limit: number; offset: number },
): Promise<OncallRow[]> {
  const { rows } = await sql<OncallRow>`
    select shift.schedule_id as "scheduleId", shift.stage, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
      users.id as "userId", users.name as "userName", users.email as "userEmail",
      coalesce(contacts.methods, '[]') as "contactMethods"
    from (
      select shifts.* from ${ON_CALL} shifts
      join users on users.id = shifts.user_id
        and (users.disabled_at is null or users.disabled_at > shifts.starts_at)
      where ${matching}
        and tstzrange(shifts.starts_at, shifts.ends_at) && tstzrange(${range.start}, ${range.end},
          case when ${range.start}::timestamptz = ${range.end}::timestamptz then '[]' else '[)' end)
      order by shifts.starts_at, shifts.stage, shifts.seat, shifts.id
      limit ${page.limit} offset ${page.offset}
    ) shift
    join users on users.id = shift.user_id
    left join lateral ${contactsOf('shift.user_id')} contacts on true
    order by shift.starts_at, shift.stage, shift.seat, shift.id`.execute(db);
  return rows;
}

/** An enabled schedule, with its backstop unless that person is disabled. */
export type DirectoryRow = {
  id: string;
  name: string;
  team: string;
  organizationId: string;
  organization: string;
  backstop: { id: string; name: string; email: string; contactMethods: ContactRow[] } | null;
};

/** The enabled schedules of all organizations by organization, then name. */
export async function listDirectory(db: Handle, limit: number): Promise<DirectoryRow[]> {
  return directoryWhere(db, sql`schedules.enabled`, limit);
}

/** The schedules that concern a viewer, by name. */
export async function listDirectoryOf(
  db: Handle,
  viewer: Viewer,
  range: Period,
  limit: number,
): Promise<DirectoryRow[]> {
  return directoryWhere(db, sql`schedules.id in ${concerning(viewer, range)}`, limit);
}

async function directoryWhere(
  db: Handle,
  matching: RawBuilder<unknown>,
  limit: number,
): Promise<DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    select schedules.id, schedules.name, teams.name as team, organizations.id as "organizationId",
      organizations.name as organization,
      case when backstop.id is not null then jsonb_build_object('id', backstop.id, 'name', backstop.name,
        'email', backstop.email, 'contactMethods', coalesce(${contactsOf('backstop.id')}, '[]')) end as backstop
    from schedules
    join organizations on organizations.id = schedules.organization_id and not organizations.hidden
    join teams on teams.id = schedules.team_id
    left join users backstop on backstop.id = schedules.backstop_user_id and backstop.disabled_at is null
    where ${matching}
    order by organizations.name, organizations.id, schedules.name collate "C", schedules.id
    limit ${limit}`.execute(db);
  return rows;
}

/** A schedule with one of its stages; null if it has none. */
export type CourseRow = { rounds: number; stage: number | null; escalateAfterSeconds: number | null };

/** A schedule of a team with one stage and one shift of that stage. Fields are null if there is none. */
export type OnCallRow = CourseRow & {
  teamId: string;
  /** When it was read; the time for which they are on call. */
  at: Temporal.Instant;
  scheduleId: string;
  scheduleName: string;
  backstopUserId: string | null;
  shiftId: string | null;
  shiftUserId: string | null;
  shiftEndsAt: Temporal.Instant | null;
  /** How the person of the shift and the backstop are notified. */
  shiftUser: Notifiable | null;
  backstop: Notifiable | null;
  /** The schedule that the shift belongs to, if the stage is linked to it. */
  linkedScheduleId: string | null;
  linkedScheduleName: string | null;
  awayId: string | null;
  awayName: string | null;
  awayUntil: Temporal.Instant | null;
};

/** Everything that paging a team needs, in one round trip, because it runs in the transaction of a page's step. */
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

/** The enabled schedules of a team with their stages, without the people of these. */
export async function courseRows(db: Handle, teamId: string): Promise<CourseRow[]> {
  return db
    .selectFrom('schedules')
    .leftJoin('schedule_stages', 'schedule_stages.schedule_id', 'schedules.id')
    .select(['rounds', 'stage', 'escalate_after_seconds as escalateAfterSeconds'])
    .where('team_id', '=', teamId)
    .where('enabled', '=', true)
    .execute();
}

/** Who is on call, as a query. */
export function onCallQuery(
  organizationId: string,
  teamId: string,
  at: Temporal.Instant,
): RawBuilder<OnCallRow> {
  return onCallOf(sql`(${organizationId}, ${teamId})`, sql`${at}::timestamptz`);
}

/** The same query for SQL expressions: `team` is the row `(organization id, team id)`, of which there may be none. */
export function onCallOf(team: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<OnCallRow> {
  return sql<OnCallRow>`
    select schedule.team_id as "teamId", ${at} as at, schedule.id as "scheduleId", schedule.name as "scheduleName", backstop.id as "backstopUserId",
      schedule.rounds, stage.stage, stage.escalate_after_seconds as "escalateAfterSeconds",
      shift.id as "shiftId", shift.user_id as "shiftUserId", shift.ends_at as "shiftEndsAt",
      case when shift.id is not null then ${notifiableJson(sql`shift.user_id`)} end as "shiftUser",
      case when backstop.id is not null then ${notifiableJson(sql`backstop.id`)} end as backstop,
      linked.id as "linkedScheduleId", linked.name as "linkedScheduleName",
      away.id as "awayId", away.name as "awayName", away.ends_at as "awayUntil"
    from schedules schedule
    left join users backstop on backstop.id = schedule.backstop_user_id and backstop.disabled_at is null
    left join schedule_stages stage on stage.schedule_id = schedule.id
    left join schedules linked on linked.id = stage.linked_schedule_id
    left join lateral (
      select shifts.id, shifts.user_id, shifts.seat, shifts.ends_at
      from shifts join users on users.id = shifts.user_id and users.disabled_at is null
      where shifts.schedule_id = coalesce(stage.linked_schedule_id, schedule.id)
        and shifts.stage = case when stage.linked_schedule_id is null then stage.stage else stage.linked_stage end
        and tstzrange(shifts.starts_at, shifts.ends_at) @> ${at}
    ) shift on true
    left join lateral (
      select id, ${shownName('availabilities', null)} as name, ends_at from availabilities
      where user_id = shift.user_id and type = 'hard_unavailable'
        and starts_at <= ${at} and ends_at > ${at}
      order by ends_at desc, id limit 1
    ) away on true
    where (schedule.organization_id, schedule.team_id) = ${team} and schedule.enabled
    order by stage.stage, schedule.name, schedule.id, shift.seat`;
}

/** A team as read from the database. `withReach` adds who can be reached. */
type TeamRead = Omit<TeamNow, 'schedules'> & { schedules: Omit<ScheduleNow, 'reachable'>[] };

/** Every team of the organization with its enabled schedules, the viewer's own teams first. */
export async function teamsNow(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  at: Temporal.Instant,
): Promise<TeamRead[]> {
  const { rows } = await sql<TeamRead>`
    select t.id, t.name, t.slug,
      exists (select from team_members m where m.team_id = t.id and m.user_id = ${viewer.userId}) as mine,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name,
          'backstop', (select ${personJson('b')} from users b where b.id = s.backstop_user_id and b.disabled_at is null),
          'stages', ${stagesAt(at)}, 'gap', ${nextGap(at)}) order by s.name, s.id)
        from schedules s where s.team_id = t.id and s.enabled), '[]') as schedules
    from teams t where t.organization_id = ${viewer.organizationId}
    order by mine desc, lower(t.name), t.id`.execute(db);
  return rows;
}

/** The stages of the schedule `s` as JSON: who is on call at `at`, and who comes next within 90 days. */
export function stagesAt(at: Temporal.Instant) {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('stage', st.stage,
      'now', coalesce((
        select jsonb_agg(jsonb_build_object('person', ${personJson('u')}, 'starts_at', ${utcText('h.starts_at')}, 'ends_at', ${utcText('h.ends_at')},
          'away', exists (select from availabilities a where a.user_id = u.id and a.type = 'hard_unavailable'
            and a.starts_at <= ${at} and a.ends_at > ${at}), 'shadows', coalesce((
              select jsonb_agg(distinct ${personJson('l')}) from ${shadowsIn('s')} w join users l on l.id = w.user_id
              where ${learnsFrom('w', 'h', at)}), '[]')) order by h.seat)
        from ${ON_CALL} h join users u on u.id = h.user_id and u.disabled_at is null
        where h.schedule_id = s.id and h.stage = st.stage and tstzrange(h.starts_at, h.ends_at) @> ${at}::timestamptz), '[]'),
      'next', (
        select jsonb_build_object('person', case when u.id is null then null else ${personJson('u')} end, 'starts_at', ${utcText('h.starts_at')})
        from ${ON_CALL} h left join users u on u.id = h.user_id and u.disabled_at is null
        where h.schedule_id = s.id and h.stage = st.stage and h.starts_at > ${at}
          and tstzrange(h.starts_at, h.ends_at) && tstzrange(${at}, ${at}::timestamptz + interval '90 days')
        order by h.starts_at, h.seat limit 1)) order by st.stage)
    from schedule_stages st where st.schedule_id = s.id), '[]')`;
}

/** The first gap of the schedule `s` within 14 days of `at` as JSON; null if there is none. */
export function nextGap(at: Temporal.Instant) {
  return sql`(
    select jsonb_build_object('stage', h.stage, 'starts_at', ${utcText('h.starts_at')}, 'ends_at', ${utcText('h.ends_at')})
    from ${ON_CALL} h where h.schedule_id = s.id and h.user_id is null
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${at}, ${at}::timestamptz + interval '14 days')
    order by h.starts_at, h.stage limit 1)`;
}

/** Who is on call at this time in the enabled schedules of an organization, by stage, then schedule. */
export async function onCallAt(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
): Promise<OnCallNow[]> {
  const { rows } = await sql<OnCallNow>`
    select u.id as "userId", s.id as "scheduleId", s.name as schedule, h.stage, h.ends_at as until
    from schedules s join ${ON_CALL} h on h.schedule_id = s.id join users u on u.id = h.user_id and u.disabled_at is null
    where s.organization_id = ${organizationId} and s.enabled and tstzrange(h.starts_at, h.ends_at) @> ${at}::timestamptz
    order by h.stage, s.name`.execute(db);
  return rows;
}

/** The current and future shifts of one person, soonest first. */
export async function shiftsAhead(
  db: Handle,
  person: { organizationId: string; userId: string },
  at: Temporal.Instant,
  limit: number,
): Promise<ShiftAhead[]> {
  const { rows } = await sql<ShiftAhead>`
    select h.id, jsonb_build_object('id', s.id, 'name', s.name) as schedule, jsonb_build_object('id', t.id, 'name', t.name) as team,
      h.stage, h.starts_at as "startsAt", h.ends_at as "endsAt"
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled join teams t on t.id = s.team_id
    where h.organization_id = ${person.organizationId} and h.user_id = ${person.userId}
      and h.starts_at > ${at.subtract(LONGEST_SHIFT)} and h.ends_at > ${at}
    order by h.starts_at, h.stage limit ${limit}`.execute(db);
  return rows;
}

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
  viewerId: string,
  scheduleId: string,
  range: Range,
): Promise<TimelineRecord[]> {
  const { rows } = await sql<TimelineRecord>`
    select a.id, ${personJson('u')} as person, a.type, ${shownName('a', viewerId)} as name,
      ${utcText('a.starts_at')} as starts_at, ${utcText('a.ends_at')} as ends_at, ${repeatsOf()} as repeats
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
