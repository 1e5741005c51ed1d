import { sql } from 'kysely';
import { shownName } from '../availability/store.ts';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Interval } from '../kit/interval.ts';
import { newId } from '../kit/typeid.ts';
import { personJson } from '../people/store.ts';
import { LONGEST_SHIFT } from '../schedules/longest-shift-contract.ts';
import { epochMs } from '../schedules/plan-store.ts';
import type { Move, Seated } from '../schedules/roster.ts';
import type { CoverState, OverrideShown, ShiftPieceShown, SwapState } from './api-contract.ts';

export type StoredMove = Seated & { loses: string | null; gains: string };
/** `proposedBy`: who proposed this person; null if the service did. Times in epoch milliseconds. */
export type StoredProposal = {
  moves: StoredMove[];
  complete: boolean;
  proven: boolean;
  proposedBy: string | null;
};

export type StoredCover = Seated & {
  id: string;
  organizationId: string;
  scheduleId: string;
  userId: string;
  /** `asked`: a person offered the shift. */
  cause: 'absence' | 'asked';
  availabilityId: string | null;
  /** Who offered the shift; null for an absence. */
  offeredBy: string | null;
  note: string;
  state: CoverState;
  proposal: StoredProposal | null;
  declinedBy: string[];
  takenBy: string | null;
  decidedBy: string | null;
  decidedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
};

/** A stored proposal as a `StoredProposal`: rows name `proposedBy` as the first release did. */
const PROPOSAL = sql`(c.proposal - 'askedBy') || jsonb_build_object('proposedBy', c.proposal->'askedBy')`;

function rowOfProposal({ proposedBy, ...proposal }: StoredProposal): string {
  return JSON.stringify({ ...proposal, askedBy: proposedBy });
}

/** The columns of `covers c` as a `StoredCover`. */
const COVER = sql`c.id, c.organization_id as "organizationId", c.schedule_id as "scheduleId", c.stage, c.seat,
  ${epochMs('c.starts_at')} as "from", ${epochMs('c.ends_at')} as "to", c.user_id as "userId", c.cause,
  c.availability_id as "availabilityId", c.asked_by as "offeredBy", c.note, c.state, ${PROPOSAL} as proposal,
  c.declined_by as "declinedBy", c.taken_by as "takenBy", c.decided_by as "decidedBy", c.decided_at as "decidedAt",
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** Covers of a schedule that may still change: open or proposed ones, and applied ones that have not ended. */
export async function liveCovers(
  db: Handle,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<StoredCover[]> {
  const { rows } = await sql<StoredCover>`
    select ${COVER} from covers c
    where c.schedule_id = ${scheduleId}
      and (c.state in ('open', 'proposed') or (c.state = 'applied' and c.ends_at > ${at}))
    order by c.starts_at, c.id`.execute(db);
  return rows;
}

/** A cover of the organization; null if there is none. */
export async function findCover(db: Handle, organizationId: string, id: string): Promise<StoredCover | null> {
  const { rows } = await sql<StoredCover>`
    select ${COVER} from covers c where c.organization_id = ${organizationId} and c.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type NewCover = Pick<
  StoredCover,
  | 'organizationId'
  | 'scheduleId'
  | 'stage'
  | 'seat'
  | 'from'
  | 'to'
  | 'userId'
  | 'cause'
  | 'availabilityId'
  | 'offeredBy'
  | 'note'
  | 'declinedBy'
>;

/** A cover without a proposal that is not saved yet. */
export function draftCover(at: Temporal.Instant, cover: NewCover): StoredCover {
  return {
    ...cover,
    id: newId('cover'),
    state: 'open',
    proposal: null,
    takenBy: null,
    decidedBy: null,
    decidedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Saves a new cover without a proposal. */
export async function insertCover(tx: Tx, at: Temporal.Instant, cover: NewCover): Promise<StoredCover> {
  const drafted = draftCover(at, cover);
  await saveDraft(tx, drafted);
  return drafted;
}

/** Saves a cover that `draftCover` made. */
export async function saveDraft(tx: Tx, cover: StoredCover): Promise<void> {
  await tx
    .insertInto('covers')
    .values({
      id: cover.id,
      organization_id: cover.organizationId,
      schedule_id: cover.scheduleId,
      stage: cover.stage,
      seat: cover.seat,
      starts_at: instant(cover.from),
      ends_at: instant(cover.to),
      user_id: cover.userId,
      cause: cover.cause,
      availability_id: cover.availabilityId,
      asked_by: cover.offeredBy,
      note: cover.note,
      declined_by: cover.declinedBy,
      state: cover.state,
      created_at: cover.createdAt,
      updated_at: cover.updatedAt,
    })
    .execute();
}

export type CoverEdit = Partial<
  Pick<
    StoredCover,
    'from' | 'to' | 'state' | 'proposal' | 'declinedBy' | 'takenBy' | 'decidedBy' | 'decidedAt'
  >
>;

/** Changes a cover and returns the result. The caller has locked its schedule. */
export async function editCover(
  tx: Tx,
  at: Temporal.Instant,
  cover: StoredCover,
  edit: CoverEdit,
): Promise<StoredCover> {
  const next = { ...cover, ...edit, updatedAt: at };
  await tx
    .updateTable('covers')
    .set({
      starts_at: instant(next.from),
      ends_at: instant(next.to),
      state: next.state,
      proposal: next.proposal === null ? null : rowOfProposal(next.proposal),
      declined_by: next.declinedBy,
      taken_by: next.takenBy,
      decided_by: next.decidedBy,
      decided_at: next.decidedAt,
      updated_at: at,
    })
    .where('id', '=', cover.id)
    .execute();
  return next;
}

/** The instant of a time in epoch milliseconds. */
export function instant(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}

type Viewer = { organizationId: string; userId: string };

/** A schedule for presenting covers, and whether the viewer is a manager of its team. */
export type ScheduleHead = {
  id: string;
  name: string;
  timeZone: string;
  restMs: number;
  team: { id: string; name: string; slug: string };
  manager: boolean;
};

/** Schedules of the organization by id; unknown ids are left out. */
export async function scheduleHeads(
  db: Handle,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, ScheduleHead>> {
  const { rows } = await sql<ScheduleHead>`
    select s.id, s.name, s.time_zone as "timeZone", (s.rest_hours * 3600000)::float8 as "restMs",
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      coalesce(m.role = 'manager', false) as manager
    from schedules s join teams t on t.id = s.team_id
    left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where s.organization_id = ${viewer.organizationId} and s.id = any(${[...new Set(ids)]}::text[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export type AbsenceHead = { id: string; name: string; startsAt: Temporal.Instant; endsAt: Temporal.Instant };

/** Absences by id, with the names that the viewer may see; unknown ids are left out. */
export async function absenceHeads(
  db: Handle,
  viewerId: string,
  ids: readonly string[],
): Promise<Map<string, AbsenceHead>> {
  const { rows } = await sql<AbsenceHead>`
    select id, ${shownName('availabilities', viewerId)} as name, starts_at as "startsAt", ends_at as "endsAt"
    from availabilities
    where id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type CoverFilter = {
  scheduleId: string | null;
  from: Temporal.Instant;
  to: Temporal.Instant | null;
  states: readonly CoverState[] | null;
};

/** Covers of an organization that end after `from`, by start; at most 1,000. */
export async function listCovers(
  db: Handle,
  organizationId: string,
  { scheduleId, from, to, states }: CoverFilter,
): Promise<StoredCover[]> {
  const { rows } = await sql<StoredCover>`
    select ${COVER} from covers c
    where c.organization_id = ${organizationId} and (${scheduleId}::text is null or c.schedule_id = ${scheduleId})
      and c.ends_at > ${from} and (${to}::timestamptz is null or c.starts_at < ${to})
      and (${states}::text[] is null or c.state = any(${states}::text[]))
    order by c.starts_at, c.stage, c.seat, c.id limit 1000`.execute(db);
  return rows;
}

/** The id of the shift that a seat has at the start of a place; null if there is none. */
export async function shiftAt(
  db: Handle,
  place: { scheduleId: string; stage: number; seat: number; from: number },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from shifts where schedule_id = ${place.scheduleId} and stage = ${place.stage} and seat = ${place.seat}
      and tstzrange(starts_at, ends_at) @> ${instant(place.from)}::timestamptz`.execute(db);
  return rows[0]?.id ?? null;
}

/** Schedules to check, and the rows in `cover_checks` that requested it. */
export type DueChecks = { ids: number[]; scheduleIds: string[] };

/** Reads up to `limit` checks, oldest first, and the schedules that they concern. */
export async function dueChecks(db: Handle, at: Temporal.Instant, limit: number): Promise<DueChecks> {
  const { rows: checks } = await sql<{ id: number; userId: string | null; scheduleId: string | null }>`
    select id, user_id as "userId", schedule_id as "scheduleId" from cover_checks order by id limit ${limit}`.execute(
    db,
  );
  const userIds = [...new Set(checks.flatMap(({ userId }) => userId ?? []))];
  const { rows: schedules } = await sql<{ id: string }>`
    select schedule_id as id from shifts
    where user_id = any(${userIds}::text[]) and ends_at > ${at}
      and starts_at > ${at.subtract(LONGEST_SHIFT)}
    union
    select schedule_id from covers where user_id = any(${userIds}::text[]) and ends_at > ${at}
    union
    select schedule_id from covers where state in ('open', 'proposed') and ends_at <= ${at}`.execute(db);
  const named = checks.flatMap(({ scheduleId }) => scheduleId ?? []);
  return {
    ids: checks.map(({ id }) => id),
    scheduleIds: [...new Set([...named, ...schedules.map(({ id }) => id)])].sort(),
  };
}

export async function forgetChecks(db: Handle, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from cover_checks where id = any(${ids}::bigint[])`.execute(db);
}

/** Queues another check of a schedule's covers. */
export async function checkAgain(db: Handle, scheduleId: string): Promise<void> {
  await sql`insert into cover_checks (schedule_id) values (${scheduleId})`.execute(db);
}

/** How an override came about, and who made it; `by` is null if the service did. */
export type Origin = {
  origin: 'hand' | 'cover' | 'swap' | 'hand_over';
  coverId?: string;
  swapId?: string;
  by: string | null;
};

type ScheduleKey = { organizationId: string; scheduleId: string };

/**
 * Writes a move as an override of its seat and returns the override's id. Cuts or deletes earlier overrides of the seat
 * at that time, so that no two overlap.
 */
export async function writeMove(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, scheduleId }: ScheduleKey,
  move: Move,
  { origin, coverId, swapId, by }: Origin,
): Promise<string> {
  await clearSeat(tx, scheduleId, move);
  const id = newId('override');
  await tx
    .insertInto('overrides')
    .values({
      id,
      organization_id: organizationId,
      schedule_id: scheduleId,
      stage: move.stage,
      seat: move.seat,
      user_id: move.gains,
      starts_at: instant(move.from),
      ends_at: instant(move.to),
      origin,
      cover_id: coverId ?? null,
      swap_id: swapId ?? null,
      created_by: by,
      created_at: at,
    })
    .execute();
  return id;
}

async function clearSeat(tx: Tx, scheduleId: string, { stage, seat, from, to }: Seated): Promise<void> {
  const [start, end] = [instant(from), instant(to)];
  const there = sql`schedule_id = ${scheduleId} and stage = ${stage} and seat = ${seat}
    and starts_at < ${end} and ends_at > ${start}`;
  const { rows } = await sql<{ id: string }>`
    select id from overrides where ${there} and starts_at < ${start} and ends_at > ${end}`.execute(tx);
  for (const { id } of rows)
    await sql`
      insert into overrides (id, organization_id, schedule_id, stage, seat, user_id, starts_at, ends_at, origin, cover_id,
        swap_id, created_by, created_at)
      select ${newId('override')}, organization_id, schedule_id, stage, seat, user_id, ${end}, ends_at, origin, cover_id,
        swap_id, created_by, created_at
      from overrides where id = ${id}`.execute(tx);
  await sql`delete from overrides where ${there} and starts_at >= ${start} and ends_at <= ${end}`.execute(tx);
  await sql`update overrides set ends_at = ${start} where ${there} and starts_at < ${start}`.execute(tx);
  await sql`update overrides set starts_at = ${end} where ${there}`.execute(tx);
}

/** Removes a cover's overrides from `at` on. */
export async function removeCoverOverrides(tx: Tx, at: Temporal.Instant, coverId: string): Promise<void> {
  await sql`delete from overrides where cover_id = ${coverId} and starts_at >= ${at}`.execute(tx);
  await sql`update overrides set ends_at = ${at} where cover_id = ${coverId} and ends_at > ${at}`.execute(tx);
}

export type StoredOverride = Interval & {
  id: string;
  stage: number;
  userId: string;
  origin: OverrideShown['origin'];
  createdBy: string | null;
};

/** An override of a schedule, its times in epoch milliseconds; null if there is none. */
export async function findOverride(
  db: Handle,
  scheduleId: string,
  id: string,
): Promise<StoredOverride | null> {
  const { rows } = await sql<StoredOverride>`
    select id, stage, user_id as "userId", origin, created_by as "createdBy",
      ${epochMs('starts_at')} as "from", ${epochMs('ends_at')} as "to"
    from overrides where schedule_id = ${scheduleId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Ends an override at `at`, or deletes it if it has not begun. */
export async function endOverride(tx: Tx, at: Temporal.Instant, id: string): Promise<void> {
  await sql`delete from overrides where id = ${id} and starts_at >= ${at}`.execute(tx);
  await sql`update overrides set ends_at = ${at} where id = ${id} and ends_at > ${at}`.execute(tx);
}

/** Overrides of a schedule within a span, or one by id, sorted by start; at most 1,000. */
export async function listOverrides(
  db: Handle,
  scheduleId: string,
  { from, to, id }: { from: Temporal.Instant | null; to: Temporal.Instant | null; id: string | null },
): Promise<Omit<OverrideShown, 'may_delete'>[]> {
  const { rows } = await sql<Omit<OverrideShown, 'may_delete'>>`
    select o.id, o.stage, o.seat, ${personJson('u')} as user, ${utcText('o.starts_at')} as starts_at,
      ${utcText('o.ends_at')} as ends_at, o.origin, ${personJson('c')} as created_by, ${utcText('o.created_at')} as created_at
    from overrides o join users u on u.id = o.user_id left join users c on c.id = o.created_by
    where o.schedule_id = ${scheduleId} and (${id}::text is null or o.id = ${id})
      and (${from}::timestamptz is null or o.ends_at > ${from})
      and (${to}::timestamptz is null or o.starts_at < ${to})
    order by o.starts_at, o.id limit 1000`.execute(db);
  return rows;
}

export type StoredShift = Seated & { id: string; scheduleId: string; userId: string | null };

/** A shift of the organization as it is now, its times in epoch milliseconds; null if there is none. */
export async function findShift(db: Handle, organizationId: string, id: string): Promise<StoredShift | null> {
  const { rows } = await sql<StoredShift>`
    select id, schedule_id as "scheduleId", stage, seat, user_id as "userId",
      ${epochMs('starts_at')} as "from", ${epochMs('ends_at')} as "to"
    from shifts where organization_id = ${organizationId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The current shifts of one seat in a span. */
export async function piecesOf(db: Handle, scheduleId: string, place: Seated): Promise<ShiftPieceShown[]> {
  const { rows } = await sql<ShiftPieceShown>`
    select h.id as shift_id, h.stage, h.seat, ${utcText('h.starts_at')} as starts_at, ${utcText('h.ends_at')} as ends_at,
      ${personJson('u')} as person, ${personJson('p')} as planned, h.override_id
    from shifts h left join users u on u.id = h.user_id left join users p on p.id = h.planned_user_id
    where h.schedule_id = ${scheduleId} and h.stage = ${place.stage} and h.seat = ${place.seat}
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${instant(place.from)}, ${instant(place.to)})
    order by h.starts_at`.execute(db);
  return rows;
}

/** A shift, or a part of one, and who had it when the swap was proposed. */
export type SwapSide = Seated & { scheduleId: string; userId: string };

export type StoredSwap = {
  id: string;
  organizationId: string;
  proposedBy: string;
  note: string;
  state: SwapState;
  given: SwapSide;
  wanted: SwapSide;
  decidedBy: string | null;
  decidedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
};

const side = (name: 'given' | 'wanted', user: string) =>
  sql.raw(`jsonb_build_object('scheduleId', ${name}_schedule_id, 'stage', ${name}_stage, 'seat', ${name}_seat,
    'userId', ${user}, 'from', ceil(extract(epoch from ${name}_starts_at) * 1000),
    'to', ceil(extract(epoch from ${name}_ends_at) * 1000))`);

const SWAP = sql`id, organization_id as "organizationId", asked_by as "proposedBy", note, state,
  ${side('given', 'given_by')} as given, ${side('wanted', 'asked_of')} as wanted, decided_by as "decidedBy",
  decided_at as "decidedAt", created_at as "createdAt"`;

/** A swap of the organization; null if there is none. */
export async function findSwap(db: Handle, organizationId: string, id: string): Promise<StoredSwap | null> {
  const { rows } = await sql<StoredSwap>`
    select ${SWAP} from swaps where organization_id = ${organizationId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Open swaps that a person proposed, that were proposed to them, or that take one of their shifts. */
export async function swapsOf(
  db: Handle,
  { organizationId, userId }: { organizationId: string; userId: string },
  at: Temporal.Instant,
): Promise<StoredSwap[]> {
  const { rows } = await sql<StoredSwap>`
    select ${SWAP} from swaps
    where organization_id = ${organizationId} and state = 'proposed'
      and (asked_of = ${userId} or asked_by = ${userId} or given_by = ${userId})
      and least(given_ends_at, wanted_ends_at) > ${at}
    order by least(given_starts_at, wanted_starts_at), id limit 100`.execute(db);
  return rows;
}

/** Saves a swap that somebody proposed, and returns its id. */
export async function insertSwap(
  tx: Tx,
  at: Temporal.Instant,
  swap: Pick<StoredSwap, 'organizationId' | 'proposedBy' | 'note' | 'given' | 'wanted'>,
): Promise<string> {
  const id = newId('swap');
  const { organizationId, proposedBy, note, given, wanted } = swap;
  await tx
    .insertInto('swaps')
    .values({
      id,
      organization_id: organizationId,
      asked_by: proposedBy,
      asked_of: wanted.userId,
      note,
      state: 'proposed',
      given_schedule_id: given.scheduleId,
      given_stage: given.stage,
      given_seat: given.seat,
      given_starts_at: instant(given.from),
      given_ends_at: instant(given.to),
      given_by: given.userId,
      wanted_schedule_id: wanted.scheduleId,
      wanted_stage: wanted.stage,
      wanted_seat: wanted.seat,
      wanted_starts_at: instant(wanted.from),
      wanted_ends_at: instant(wanted.to),
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}

/** The caller has locked both schedules. */
export async function decideSwap(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  state: 'accepted' | 'declined' | 'withdrawn',
  userId: string,
): Promise<void> {
  await tx
    .updateTable('swaps')
    .set({ state, decided_by: userId, decided_at: at, updated_at: at })
    .where('id', '=', id)
    .where('state', '=', 'proposed')
    .execute();
}

/** Expires swaps that nobody accepted before one of the shifts ended. Returns how many. */
export async function expireSwaps(tx: Handle, at: Temporal.Instant): Promise<number> {
  const { rows } = await sql`
    update swaps set state = 'expired', updated_at = ${at}
    where state = 'proposed' and least(given_ends_at, wanted_ends_at) <= ${at} returning id`.execute(tx);
  return rows.length;
}
