import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Move, Seated } from '../schedules/roster.ts';
import { instant } from './cover-store.ts';

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
