import { sql } from 'kysely';
import { shownName } from '../availability/store.ts';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Seated } from '../schedules/roster.ts';
import type { CoverState } from './api-contract.ts';

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

const ms = (column: string) => sql.raw(`ceil(extract(epoch from c.${column}) * 1000)::float8`);

/** A stored proposal as a `StoredProposal`: rows name `proposedBy` as the first release did. */
const PROPOSAL = sql`(c.proposal - 'askedBy') || jsonb_build_object('proposedBy', c.proposal->'askedBy')`;

function rowOfProposal({ proposedBy, ...proposal }: StoredProposal): string {
  return JSON.stringify({ ...proposal, askedBy: proposedBy });
}

/** The columns of `covers c` as a `StoredCover`. */
const COVER = sql`c.id, c.organization_id as "organizationId", c.schedule_id as "scheduleId", c.stage, c.seat,
  ${ms('starts_at')} as "from", ${ms('ends_at')} as "to", c.user_id as "userId", c.cause,
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
  const at = Temporal.Instant.fromEpochMilliseconds(place.from);
  const { rows } = await sql<{ id: string }>`
    select id from shifts where schedule_id = ${place.scheduleId} and stage = ${place.stage} and seat = ${place.seat}
      and tstzrange(starts_at, ends_at) @> ${at}::timestamptz`.execute(db);
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
      and starts_at > ${at}::timestamptz - interval '90 days'
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
