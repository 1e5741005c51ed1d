import { type RawBuilder, sql } from 'kysely';
import type { AvailabilityType } from '../availability/contract.ts';
import { holidaysOfAll } from '../calendars/holiday-calendar-store.ts';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Interval } from '../kit/interval.ts';
import type { Person, Urgency } from '../people/contract.ts';
import type { Sleep } from '../people/persons/sleep.ts';
import { personJson } from '../people/store.ts';
import type { LayerDefinition } from '../schedules/definition.ts';
import { timesNotPlanned } from '../schedules/person-times.ts';
import { type PlanRules, storedRules } from '../schedules/rules.ts';
import { SERVED_TIMES } from '../schedules/store.ts';
import type { Answers, SourceLine, WithheldLine, WithheldReport } from './api-contract.ts';
import type { ScheduleFacts } from './carried.ts';
import type { Clocks, Sleeper } from './clocks.ts';
import type { StageMember } from './presence.ts';
import type { Piece } from './whole-shifts.ts';

export type Range = { from: Temporal.Instant; to: Temporal.Instant };
/** Null for the whole organization. */
export type Scope = { organizationId: string; teamId: string | null; scheduleId: string | null };

/** What is read around a period at least, such as overrides that extend beyond it. */
const MARGIN = { hours: 40 * 24 };

/** Milliseconds, because there are tens of thousands and instants would cost as much as everything else. */
const ms = (column: string | RawBuilder<unknown>) =>
  sql`(extract(epoch from ${typeof column === 'string' ? sql.raw(column) : column}) * 1000)::float8`;

/**
 * A period with the time around it that counts as well: all of each shift that overlaps it, because a part counts in proportion to
 * the whole shift. Shifts can be as long as a year.
 */
export async function aroundShifts(db: Handle, scope: Scope, { from, to }: Range): Promise<Range> {
  const ids = (await listSchedules(db, scope)).map(({ id }) => id);
  const { rows } = await sql<{ [Bound in keyof Range]: Temporal.Instant }>`
    select least(${from.subtract(MARGIN)}::timestamptz, min(planned_starts_at)) as from,
      greatest(${to.add(MARGIN)}::timestamptz, max(planned_ends_at)) as to
    from shifts where schedule_id = any(${ids}::text[]) and tstzrange(starts_at, ends_at) && tstzrange(${from}, ${to})`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw new Error('an aggregate has one row');
  return found;
}

/** The enabled schedules of a scope, or one of them, with their shifts in the time `around` a period. */
export async function listScheduleFacts(db: Handle, scope: Scope, around: Range): Promise<ScheduleFacts[]> {
  const schedules = await listSchedules(db, scope);
  const ids = schedules.map(({ id }) => id);
  const date = (at: Temporal.Instant) => at.toZonedDateTimeISO('UTC').toPlainDate();
  const days = [date(around.from).subtract({ days: 2 }), date(around.to).add({ days: 2 })] as const;
  const [holidays, members, pieces] = await Promise.all([
    holidaysOfAll(db, scope.organizationId, ...days),
    listMembers(db, ids),
    listPieces(db, ids, around),
  ]);
  const membersOf = Map.groupBy(members, ({ scheduleId }) => scheduleId);
  return schedules.map(({ id, timeZone, planning }, index) => {
    const rules = storedRules(planning);
    return {
      id,
      calendar: { timeZone, holidays: holidays.get(id) ?? new Set<string>() },
      ...factsOf(rules),
      notPlanned: timesNotPlanned(rules.people, timeZone, {
        from: around.from.epochMilliseconds,
        to: around.to.epochMilliseconds,
      }),
      members: (membersOf.get(id) ?? []).map((member) => withShare(member, rules)),
      pieces: pieces[index] ?? [],
    };
  });
}

function withShare(member: StageMember, { shares }: PlanRules): StageMember {
  const share = shares[member.userId];
  return share ? { ...member, share } : member;
}

function factsOf({ weights, smallAbsenceHours }: PlanRules) {
  return { weights, smallAbsenceMs: smallAbsenceHours * 3_600_000 };
}

async function listSchedules(db: Handle, { organizationId, teamId, scheduleId }: Scope) {
  const query = db
    .selectFrom('schedules')
    .select(['id', 'time_zone as timeZone', 'planning'])
    .where('organization_id', '=', organizationId)
    .orderBy('id');
  if (scheduleId !== null) return query.where('id', '=', scheduleId).execute();
  const enabled = query.where('enabled', '=', true);
  return (teamId === null ? enabled : enabled.where('team_id', '=', teamId)).execute();
}

type MemberRow = Omit<StageMember, 'seats' | 'sharesFrom'> & {
  scheduleId: string;
  sharesFrom: number | null;
  layers: LayerDefinition[] | null;
};

/** One entry for each person and stage, or for each layer of the stage that the person is in. */
async function listMembers(
  db: Handle,
  scheduleIds: readonly string[],
): Promise<(StageMember & { scheduleId: string })[]> {
  const { rows } = await sql<MemberRow>`
    select m.schedule_id as "scheduleId", m.stage, m.user_id as "userId", g.layers,
      ${ms('coalesce(m.joined_at, s.created_at)')} as "joinedAt", ${ms('m.shares_from')} as "sharesFrom"
    from stage_members m join schedules s on s.id = m.schedule_id
    join schedule_stages g on g.schedule_id = m.schedule_id and g.stage = m.stage
    join users u on u.id = m.user_id and u.disabled_at is null
    where m.schedule_id = any(${scheduleIds}::text[])`.execute(db);
  return rows.flatMap(({ layers, sharesFrom, ...member }) => {
    const own = { ...member, ...(sharesFrom === null ? {} : { sharesFrom }) };
    return layers ? seatsOf(layers, own.userId).map((seats) => ({ ...own, seats })) : [own];
  });
}

/** The first and the last seat of each layer that a person is in. */
function seatsOf(layers: readonly LayerDefinition[], userId: string): [number, number][] {
  let next = 1;
  return layers.flatMap(({ seats, memberIds }) => {
    const first = next;
    next += seats;
    return memberIds.includes(userId) ? [[first, next - 1] as [number, number]] : [];
  });
}

type PieceRow = Omit<Piece, 'whole'> & {
  /** The position of the schedule among the requested ones, from 1. */
  which: number;
  wholeFrom: number | null;
  wholeTo: number | null;
};

/** By schedule, in their order. Default values are left out, because there are many rows. */
async function listPieces(db: Handle, scheduleIds: readonly string[], around: Range): Promise<Piece[][]> {
  const { rows } = await sql<PieceRow>`
    select asked.which::integer, h.stage, h.seat, h.user_id as "userId",
      nullif(h.planned_user_id, h.user_id) as "takenFrom",
      nullif(h.planned_user_id is distinct from h.user_id, false) as "isTaken",
      nullif(h.planned_starts_at is null and h.planned_user_id is null, false) as "isOutside",
      case when h.planned_starts_at is null and h.planned_user_id is null then h.override_id end as "overrideId",
      ${ms('h.starts_at')} as "from", ${ms('h.ends_at')} as "to",
      ${ms('nullif(h.planned_starts_at, h.starts_at)')} as "wholeFrom",
      ${ms('nullif(h.planned_ends_at, h.ends_at)')} as "wholeTo"
    from unnest(${scheduleIds}::text[]) with ordinality asked(id, which)
    join shifts h on h.schedule_id = asked.id
    where tstzrange(h.starts_at, h.ends_at) && tstzrange(${around.from}, ${around.to})`.execute(db);
  const pieces: Piece[][] = scheduleIds.map(() => []);
  for (const { which, wholeFrom, wholeTo, ...piece } of rows) {
    const { from, to } = piece;
    const whole = { from: wholeFrom ?? from, to: wholeTo ?? to };
    pieces[which - 1]?.push({ ...piece, whole });
  }
  return pieces;
}

export type RecordRow = Interval & { userId: string; type: AvailabilityType };

/** The availability of all people of the organization in the time `around` a period. */
export async function listRecords(db: Handle, organizationId: string, around: Range): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select user_id as "userId", type, ${ms('starts_at')} as "from", ${ms('ends_at')} as "to"
    from availabilities
    where organization_id = ${organizationId}
      and ends_at > ${around.from} and starts_at < ${around.to}`.execute(db);
  return rows;
}

export type PageScope = {
  organizationId: string;
  teamId: string | null;
  /** Only pages that notified people because of this schedule, also those of other teams that link a stage to it. */
  schedule: Pick<ScheduleScope, 'id' | 'name'> | null;
};

/** The first acknowledgement, even if the page notified people again later. */
const FIRST = {
  by: sql.raw(
    'case when p.first_acknowledged_at is null then p.acknowledged_by else p.first_acknowledged_by end',
  ),
  at: sql.raw('coalesce(p.first_acknowledged_at, p.acknowledged_at)'),
};

/** What pages were to one person in a period. */
export type NotifiedRow = {
  userId: string;
  /** Pages that notified them, each counted once. */
  pages: Record<Urgency, number>;
  /** Pages that notified them as the backstop. */
  backstop: number;
  /** Hours by their own clock in which a page interrupted them, and those in which one interrupted their sleep. */
  interruptedHours: number;
  sleepHoursInterrupted: number;
  /** Pages that they acknowledged; everybody in a team may, including people who were not notified. */
  acknowledged: number;
  /** From their first notification of a page to their answer, the median; null: they answered none that notified them. */
  answeredAfterSeconds: number | null;
};

/**
 * A line for each person whom pages notified in a period, or who acknowledged one of these, without drills and
 * notifications that a page expired. The database adds up, because a large organization has millions of notifications.
 */
export async function listNotified(
  db: Handle,
  scope: PageScope,
  range: Range,
  clocks: Clocks,
): Promise<NotifiedRow[]> {
  const { rows } = await sql<NotifiedRow>`
    with ${clockTables(clocks)}, notified as materialized (
      select r.user_id, r.page_id, r.started_at, r.kind, p.urgency, ${ROSE_FROM_LOW}, ${FIRST.by} as by, ${FIRST.at} as at
      ${askings(scope, range)}
    ), ${interruptedHours(clocks)}, interrupted as (
      select user_id, count(*) as hours, count(*) filter (where asleep) as asleep from hours group by 1
    ), pages_of as (
      select user_id, page_id, min(urgency) as urgency, bool_or(kind = 'backstop') as as_backstop,
        min(started_at) as first_at, min(by) as by, min(at) as at
      from notified group by 1, 2
    ), counted as (
      select user_id, count(*) filter (where urgency = 'low') as low,
        count(*) filter (where urgency = 'medium') as medium, count(*) filter (where urgency = 'high') as high,
        count(*) filter (where as_backstop) as backstop,
        percentile_cont(0.5) within group (order by date_part('epoch', at - first_at))
          filter (where by = user_id and at >= first_at) as answered_after
      from pages_of group by 1
    ), answered as (
      select by as user_id, count(distinct page_id) as pages from pages_of where by is not null group by 1
    )
    select coalesce(c.user_id, a.user_id) as "userId",
      jsonb_build_object('low', coalesce(c.low, 0), 'medium', coalesce(c.medium, 0), 'high', coalesce(c.high, 0)) as pages,
      coalesce(c.backstop, 0)::float8 as backstop, coalesce(i.hours, 0)::float8 as "interruptedHours",
      coalesce(i.asleep, 0)::float8 as "sleepHoursInterrupted", coalesce(a.pages, 0)::float8 as acknowledged,
      c.answered_after as "answeredAfterSeconds"
    from counted c left join interrupted i on i.user_id = c.user_id
    full join answered a on a.user_id = c.user_id`.execute(db);
  return rows;
}

/** Hours of people by their own clock, in one hour of the week; `weekday`: 0 for Monday. */
export type HeatRow = { weekday: number; hour: number; interrupted: number; asleep: number };

/** The hours in which pages interrupted people in a period. */
export async function listHeat(
  db: Handle,
  scope: PageScope,
  range: Range,
  clocks: Clocks,
): Promise<HeatRow[]> {
  const { rows } = await sql<HeatRow>`
    with ${clockTables(clocks)}, notified as materialized (
      select r.user_id, r.page_id, r.started_at, p.urgency, ${ROSE_FROM_LOW} ${askings(scope, range)}
    ), ${interruptedHours(clocks)}
    select weekday::integer, hour::integer, count(*)::float8 as interrupted,
      count(*) filter (where asleep)::float8 as asleep
    from hours group by 1, 2`.execute(db);
  return rows;
}

const SOURCES_SHOWN = 20;

/** Where pages came from: how many there were, and the notifications, of which people would have slept. */
export type SourceRow = Omit<SourceLine, 'last_at'> & { lastAt: Temporal.Instant };

/**
 * The sources that notified people most. The source of a page is its page source, otherwise the host that it links to, otherwise
 * the person who raised it.
 */
export async function listSources(
  db: Handle,
  scope: PageScope,
  range: Range,
  clocks: Clocks,
): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    with ${clockTables(clocks)}, notified as materialized (
      select r.user_id, r.page_id, r.started_at,
        coalesce(w.name, lower(substring(p.source_url from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)')), raiser.name,
          'somebody who left') as source
      ${askings(scope, range, sql`left join webhooks w on w.id = p.source_id left join users raiser on raiser.id = p.raised_by`)}
    ), by_minute as (
      select source, user_id, ${MINUTE} as minute, count(*) as asked, max(started_at) as last_at
      from notified n group by 1, 2, 3
    ), counted as (
      select source, sum(asked) as asked, sum(asked) filter (where ${ASLEEP}) as asleep, max(last_at) as last_at
      from by_minute m join clocks c on ${ON_CLOCK} group by 1
    ), pages_of as (
      select source, count(*) as pages from (select distinct source, page_id from notified) each_page group by 1
    )
    select source, pages::float8, asked::float8, coalesce(asleep, 0)::float8 as asleep, last_at as "lastAt"
    from counted join pages_of using (source)
    order by asked desc, pages desc, source collate "C" limit ${SOURCES_SHOWN}`.execute(db);
  return rows;
}

/** A whole minute since 1970. Notifications are counted by minutes before they are joined with clocks, because there are fewer. */
const MINUTE = sql.raw("floor(date_part('epoch', n.started_at) / 60)::bigint");

/** The clock of the person at that minute. */
const ON_CLOCK = sql.raw('c.user_id = m.user_id and m.minute >= c.since and m.minute < c.until');
/** Minutes by that clock, and whether the person would be asleep. */
const LOCAL = sql.raw('(m.minute + c.ahead)');
const ASLEEP = sql`get_bit(c.night, (${LOCAL} % 1440)::integer) = 1`;

function clockTables({ userIds, since, until, ahead, sleeps, nights }: Clocks): RawBuilder<unknown> {
  return sql`nights as materialized (
      select n, digits::bit varying as night
      from unnest(${nights}::text[]) with ordinality given(digits, n)
    ), clocks as materialized (
      select c.user_id, c.since, c.until, c.ahead, nights.night
      from unnest(${userIds}::text[], ${since}::bigint[], ${until}::bigint[], ${ahead}::integer[],
        ${sleeps}::integer[]) c(user_id, since, until, ahead, n)
      join nights on nights.n = c.n
    )`;
}

/** The notification was made because the urgency of the page rose from low (src/pages/raised-urgency.ts). */
const ROSE_FROM_LOW = sql.raw(
  "r.kind = 'added' and r.why ->> 'reason' = 'the urgency rose' and r.why ->> 'from' = 'low' as rose_from_low",
);

/**
 * `hours`: each hour of a person in which `notified` interrupts them, once. Until its urgency rises, a page of low urgency interrupts
 * nobody. It counts as sleep if one of its notifications came
 * during sleep. The two equal hours when the clocks are put back began at different times. 1 January 1970 was a Thursday.
 */
function interruptedHours({ interrupting }: Clocks): RawBuilder<unknown> {
  return sql`rises as (
      select page_id, min(started_at) as at from notified where rose_from_low group by 1
    ), interrupting as (
      select distinct n.user_id, ${MINUTE} as minute from notified n left join rises on rises.page_id = n.page_id
      where n.urgency = any(${interrupting}::text[]) and (rises.at is null or n.started_at >= rises.at)
    ), hours as (
      select m.user_id, ${LOCAL} / 60 * 60 - c.ahead as began, min((${LOCAL} / 1440 + 3) % 7) as weekday,
        min(${LOCAL} / 60 % 24) as hour, bool_or(${ASLEEP}) as asleep
      from interrupting m join clocks c on ${ON_CLOCK} group by 1, 2
    )`;
}

/** How pages were answered, in seconds that are not rounded; `week` is a position in the list of weeks, and null for all of them. */
export type AnswersRow = Answers & { week: number | null };

/**
 * How pages that were raised in a period were answered, in all and by week, without drills.
 *
 * @param weeks when they begin, ascending; weeks without pages have no row
 */
export async function listAnswers(
  db: Handle,
  scope: PageScope,
  range: Range,
  weeks: readonly Temporal.Instant[],
): Promise<AnswersRow[]> {
  const { rows } = await sql<AnswersRow>`
    select case when grouping(week) = 0 then week - 1 end as week,
      jsonb_build_object('low', count(*) filter (where urgency = 'low'),
        'medium', count(*) filter (where urgency = 'medium'), 'high', count(*) filter (where urgency = 'high')) as pages,
      count(seconds)::float8 as acknowledged, count(*) filter (where expired)::float8 as expired,
      percentile_cont(0.5) within group (order by seconds) as median_seconds,
      percentile_disc(0.95) within group (order by seconds) as p95_seconds
    from (
      select width_bucket(p.created_at, ${weeks.map(String)}::timestamptz[]) as week, p.urgency, p.expired_at is not null as expired,
        date_part('epoch', ${FIRST.at} - p.created_at) as seconds
      from pages p
      where p.organization_id = ${scope.organizationId} and not p.drill
        and p.created_at >= ${range.from} and p.created_at < ${range.to} ${ofTeam(scope)}
        ${scope.schedule ? sql`and exists (select from responders r where r.page_id = p.id ${becauseOf(scope)})` : sql``}
    ) raised
    group by grouping sets ((week), ())`.execute(db);
  return rows;
}

function askings(scope: PageScope, range: Range, joins: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
    from responders r join pages p on p.id = r.page_id ${joins}
    where r.organization_id = ${scope.organizationId} and r.kind <> 'expired' and not p.drill
      and r.started_at >= ${range.from} and r.started_at < ${range.to} ${ofTeam(scope)} ${becauseOf(scope)}`;
}

/** Earlier releases stored only the name that the schedule had then. */
function becauseOf({ schedule }: PageScope): RawBuilder<unknown> {
  if (!schedule) return sql``;
  return sql`and case when r.why ? 'schedule_id' then r.why ->> 'schedule_id' = ${schedule.id}
    else r.why ->> 'schedule' = ${schedule.name} end`;
}

function ofTeam({ teamId }: PageScope): RawBuilder<unknown> {
  return teamId === null ? sql`` : sql`and p.team_id = ${teamId}`;
}

export type ScheduleScope = { id: string; name: string; teamId: string };

/** A schedule of the organization; null if there is none. */
export async function findSchedule(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<ScheduleScope | null> {
  const row = await db
    .selectFrom('schedules')
    .select(['id', 'name', 'team_id as teamId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** All people of the organization, including those who left, because their shifts count. */
export async function listEverybody(db: Handle, organizationId: string): Promise<(Person & Sleeper)[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'time_zone as timeZone', 'sleep_from', 'sleep_until'])
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(({ sleep_from: from, sleep_until: until, ...person }) => ({
    ...person,
    sleep: sleepOf(from, until),
  }));
}

function sleepOf(from: number | null, until: number | null): Sleep | null {
  return from === null || until === null ? null : { from, until };
}

const MOST_WINDOWS = 500;

/** What each window held back, of which the last event is within the period. */
function caughtBy({ organizationId }: Scope, { from, to }: Range) {
  return sql`caught as materialized (
      select window_id, count(distinct starts_at)::int as occurrences, count(*)::int as alerts,
        sum(events)::int as events, min(first_at) as first_at, max(last_at) as last_at
      from window_events
      where organization_id = ${organizationId} and last_at >= ${from} and last_at < ${to} group by window_id
    )`;
}

/** What all windows of each team held back, the most events first. */
export async function listWithheldOfTeams(
  db: Handle,
  scope: Scope,
  range: Range,
): Promise<WithheldReport['teams']> {
  const { rows } = await sql<WithheldReport['teams'][number]>`
    with ${caughtBy(scope, range)}
    select jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team, count(*)::int as windows,
      sum(c.alerts)::int as alerts, sum(c.events)::int as events
    from caught c join maintenance_windows w on w.id = c.window_id join teams t on t.id = w.team_id
    where (${scope.teamId}::text is null or w.team_id = ${scope.teamId})
    group by t.id order by sum(c.events) desc, t.name`.execute(db);
  return rows;
}

/** The windows that held back a page whose last event is within the period, the most events first. */
export async function listWithheld(db: Handle, scope: Scope, range: Range): Promise<WithheldLine[]> {
  const { teamId } = scope;
  const { rows } = await sql<WithheldLine>`
    with ${caughtBy(scope, range)}
    select jsonb_build_object('id', w.id, 'name', w.name, 'silence', w.silence, 'effect', w.effect) as window,
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      case when s.id is null then null else jsonb_build_object('id', s.id, 'name', s.name) end as source,
      ${personJson('owner')} as owner, c.occurrences, c.alerts, c.events,
      ${utcText('c.first_at')} as first_at, ${utcText('c.last_at')} as last_at
    from caught c
    join maintenance_windows w on w.id = c.window_id
    join teams t on t.id = w.team_id
    left join webhooks s on s.id = w.source_id
    left join users owner on owner.id = w.created_by
    where (${teamId}::text is null or w.team_id = ${teamId})
    order by c.events desc, w.id limit ${MOST_WINDOWS}`.execute(db);
  return rows;
}

/** `stage` null: the schedule was deleted by an earlier release. */
export type ServedRow = Interval & { userId: string; schedule: string; stage: number | null };

/**
 * When people were, or are planned to be, on call in a period: the times of all schedules of the organization, including deleted ones,
 * after overrides, covers and swaps, as they count for pay.
 */
export async function listServed(db: Handle, organizationId: string, range: Range): Promise<ServedRow[]> {
  const { rows } = await sql<ServedRow>`
    select h.user_id as "userId", s.name as schedule, h.stage::float8 as stage, ${ms('lower(served.time)')} as "from",
      ${ms('upper(served.time)')} as "to"
    from schedules s join shifts h on h.schedule_id = s.id cross join lateral ${SERVED_TIMES}
    where s.organization_id = ${organizationId} and h.user_id is not null
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${range.from}, ${range.to})
      and served.time && tstzrange(${range.from}, ${range.to})
    union all
    select f.user_id, f.schedule_name, f.stage::float8, ${ms('f.starts_at')}, ${ms('f.ends_at')} from former_shifts f
    where f.organization_id = ${organizationId} and f.ends_at > ${range.from} and f.starts_at < ${range.to}`.execute(
    db,
  );
  return rows;
}
