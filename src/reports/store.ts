import { type RawBuilder, sql } from 'kysely';
import type { AvailabilityType } from '../availability/contract.ts';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Interval } from '../kit/interval.ts';
import type { Person } from '../people/contract.ts';
import type { Sleep } from '../people/persons/sleep.ts';
import { personJson } from '../people/store.ts';
import type { LayerDefinition } from '../schedules/definition.ts';
import { timesNotPlanned } from '../schedules/person-times.ts';
import { type PlanRules, storedRules } from '../schedules/rules.ts';
import { holidaysOfAll } from '../schedules/settings-store.ts';
import type { WithheldLine } from './api-contract.ts';
import type { ScheduleFacts } from './carried.ts';
import type { PageAsking } from './fairness.ts';
import type { Sleeper } from './interruptions.ts';
import type { StageMember } from './presence.ts';
import type { PageFacts } from './responses.ts';
import type { Piece } from './whole-shifts.ts';

export type Range = { from: Temporal.Instant; to: Temporal.Instant };
/** Null for the whole organization. */
export type Scope = { organizationId: string; teamId: string | null; scheduleId: string | null };

/** Shifts that overlap a period are shorter than this. */
const MARGIN = { hours: 40 * 24 };

/** Milliseconds, because there are tens of thousands and instants would cost as much as everything else. */
const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/** The enabled schedules of a scope, or one of them, with their shifts in and around a period. */
export async function listScheduleFacts(db: Handle, scope: Scope, range: Range): Promise<ScheduleFacts[]> {
  const schedules = await listSchedules(db, scope);
  const ids = schedules.map(({ id }) => id);
  const date = (at: Temporal.Instant) => at.toZonedDateTimeISO('UTC').toPlainDate();
  const days = [
    date(range.from.subtract(MARGIN)).subtract({ days: 2 }),
    date(range.to.add(MARGIN)).add({ days: 2 }),
  ] as const;
  const [holidays, members, pieces] = await Promise.all([
    holidaysOfAll(db, scope.organizationId, ...days),
    listMembers(db, ids),
    listPieces(db, ids, range),
  ]);
  const membersOf = Map.groupBy(members, ({ scheduleId }) => scheduleId);
  return schedules.map(({ id, timeZone, planning }, index) => {
    const rules = storedRules(planning);
    return {
      id,
      calendar: { timeZone, holidays: holidays.get(id) ?? new Set<string>() },
      ...factsOf(rules),
      notPlanned: timesNotPlanned(rules.people, timeZone, {
        from: range.from.subtract(MARGIN).epochMilliseconds,
        to: range.to.add(MARGIN).epochMilliseconds,
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
async function listPieces(db: Handle, scheduleIds: readonly string[], range: Range): Promise<Piece[][]> {
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
    where tstzrange(h.starts_at, h.ends_at) && tstzrange(${range.from.subtract(MARGIN)}, ${range.to.add(MARGIN)})`.execute(
    db,
  );
  const pieces: Piece[][] = scheduleIds.map(() => []);
  for (const { which, wholeFrom, wholeTo, ...piece } of rows) {
    const { from, to } = piece;
    const whole = { from: wholeFrom ?? from, to: wholeTo ?? to };
    pieces[which - 1]?.push({ ...piece, whole });
  }
  return pieces;
}

export type RecordRow = Interval & { userId: string; type: AvailabilityType };

/** The availability of all people of the organization in and around a period. */
export async function listRecords(db: Handle, organizationId: string, range: Range): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select user_id as "userId", type, ${ms('starts_at')} as "from", ${ms('ends_at')} as "to"
    from availabilities
    where organization_id = ${organizationId}
      and ends_at > ${range.from.subtract(MARGIN)} and starts_at < ${range.to.add(MARGIN)}`.execute(db);
  return rows;
}

export type PageScope = {
  organizationId: string;
  teamId: string | null;
  /** Only pages that notified people because of this schedule. */
  scheduleName: string | null;
};

/** The first acknowledgement, even if the page notified people again later. */
const FIRST = {
  by: sql.raw(
    'case when p.first_acknowledged_at is null then p.acknowledged_by else p.first_acknowledged_by end',
  ),
  at: ms('coalesce(p.first_acknowledged_at, p.acknowledged_at)'),
};

/** Who was notified of pages in a period, without drills and without notifications that a page expired. */
export async function listAskings(db: Handle, scope: PageScope, range: Range): Promise<PageAsking[]> {
  const { rows } = await sql<PageAsking>`
    select r.user_id as "userId", r.page_id as "pageId", ${ms('r.started_at')} as at, p.urgency,
      r.kind = 'backstop' as "asBackstop", ${FIRST.by} as "acknowledgedBy", ${FIRST.at} as "acknowledgedAt"
    ${askings(scope, range)}`.execute(db);
  return rows;
}

export type SourceRow = Pick<PageAsking, 'userId' | 'pageId' | 'at' | 'urgency'> & { source: string };

/**
 * The same with the origin of the pages: the page source, otherwise the host that they link to, otherwise the person
 * who raised them.
 */
export async function listSources(db: Handle, scope: PageScope, range: Range): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select r.user_id as "userId", r.page_id as "pageId", ${ms('r.started_at')} as at, p.urgency,
      coalesce(w.name, lower(substring(p.source_url from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)')), raiser.name,
        'somebody who left') as source
    ${askings(scope, range, sql`left join webhooks w on w.id = p.source_id left join users raiser on raiser.id = p.raised_by`)}`.execute(
    db,
  );
  return rows;
}

/** Pages raised in a period, without drills, and how they were answered. */
export async function listPages(db: Handle, scope: PageScope, range: Range): Promise<PageFacts[]> {
  const { rows } = await sql<PageFacts>`
    select ${ms('p.created_at')} as at, p.urgency, ${FIRST.at} as "acknowledgedAt",
      p.expired_at is not null as expired
    from pages p
    where p.organization_id = ${scope.organizationId} and not p.drill
      and p.created_at >= ${range.from} and p.created_at < ${range.to} ${ofTeam(scope)}
      and (${scope.scheduleName}::text is null or exists (select from responders r
        where r.page_id = p.id and r.why ->> 'schedule' = ${scope.scheduleName}))`.execute(db);
  return rows;
}

function askings(scope: PageScope, range: Range, joins: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
    from responders r join pages p on p.id = r.page_id ${joins}
    where r.organization_id = ${scope.organizationId} and r.kind <> 'expired' and not p.drill
      and r.started_at >= ${range.from} and r.started_at < ${range.to} ${ofTeam(scope)}
      and (${scope.scheduleName}::text is null or r.why ->> 'schedule' = ${scope.scheduleName})`;
}

function ofTeam({ teamId }: PageScope): RawBuilder<unknown> {
  return teamId === null ? sql`` : sql`and p.team_id = ${teamId}`;
}

export type ScheduleScope = { id: string; name: string; teamId: string };

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

export async function organizationZone(db: Handle, organizationId: string): Promise<string> {
  const { zone } = await db
    .selectFrom('organizations')
    .select('time_zone as zone')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return zone;
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

/** The windows that held back a page whose last event is within the period, the most events first. */
export async function listWithheld(
  db: Handle,
  { organizationId, teamId }: Pick<PageScope, 'organizationId' | 'teamId'>,
  { from, to }: Range,
): Promise<WithheldLine[]> {
  const { rows } = await sql<WithheldLine>`
    with caught as materialized (
      select window_id, count(distinct starts_at)::int as occurrences, count(*)::int as alerts,
        sum(events)::int as events, min(first_at) as first_at, max(last_at) as last_at
      from window_events
      where organization_id = ${organizationId} and last_at >= ${from} and last_at < ${to} group by window_id
    )
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
 * When people were, or are planned to be, on call in a period: the times of all schedules of the organization, also of
 * disabled and deleted ones, after overrides, covers and swaps.
 */
export async function listServed(db: Handle, organizationId: string, range: Range): Promise<ServedRow[]> {
  const { rows } = await sql<ServedRow>`
    select h.user_id as "userId", s.name as schedule, h.stage::float8 as stage, ${ms('h.starts_at')} as "from", ${ms('h.ends_at')} as "to"
    from schedules s join shifts h on h.schedule_id = s.id
    where s.organization_id = ${organizationId} and h.user_id is not null
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${range.from}, ${range.to})
    union all
    select f.user_id, f.schedule_name, f.stage::float8, ${ms('f.starts_at')}, ${ms('f.ends_at')} from former_shifts f
    where f.organization_id = ${organizationId} and f.ends_at > ${range.from} and f.starts_at < ${range.to}`.execute(
    db,
  );
  return rows;
}
