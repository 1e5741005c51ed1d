import { sql } from 'kysely';
import type { AvailabilityType } from '../availability/contract.ts';
import type { Handle } from '../db/database.ts';
import type { Interval } from '../kit/interval.ts';
import type { LayerDefinition } from '../schedules/definition.ts';
import { holidaysOfAll } from '../schedules/holiday-store.ts';
import { timesNotPlanned } from '../schedules/person-times.ts';
import { type PlanRules, storedRules } from '../schedules/rules.ts';
import type { ScheduleFacts } from './carried.ts';
import type { StageMember } from './presence.ts';
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
