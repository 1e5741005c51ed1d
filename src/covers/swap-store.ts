import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Seated } from '../schedules/roster.ts';
import type { SwapState } from './api-contract.ts';
import { instant } from './cover-store.ts';

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
