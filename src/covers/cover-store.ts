import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Seated } from '../schedules/roster.ts';
import type { CoverState } from './api-contract.ts';

export type StoredMove = Seated & { loses: string | null; gains: string };
/** `askedBy`: who asked this person; null if the service proposed them. Times in epoch milliseconds. */
export type StoredProposal = {
  moves: StoredMove[];
  complete: boolean;
  proven: boolean;
  askedBy: string | null;
};

export type StoredCover = Seated & {
  id: string;
  organizationId: string;
  scheduleId: string;
  userId: string;
  cause: 'absence' | 'asked';
  availabilityId: string | null;
  askedBy: string | null;
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

/** The columns of `covers c` as a `StoredCover`. */
export const COVER = sql`c.id, c.organization_id as "organizationId", c.schedule_id as "scheduleId", c.stage, c.seat,
  ${ms('starts_at')} as "from", ${ms('ends_at')} as "to", c.user_id as "userId", c.cause,
  c.availability_id as "availabilityId", c.asked_by as "askedBy", c.note, c.state, c.proposal,
  c.declined_by as "declinedBy", c.taken_by as "takenBy", c.decided_by as "decidedBy", c.decided_at as "decidedAt",
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** Covers of a schedule that may still change: open or proposed ones, and applied ones that are not over. */
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
  | 'askedBy'
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
      asked_by: cover.askedBy,
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
      proposal: next.proposal === null ? null : JSON.stringify(next.proposal),
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
