import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Interval } from '../kit/interval.ts';
import { newId } from '../kit/typeid.ts';
import { personJson } from '../people/store.ts';
import type { Move, Seated } from '../schedules/roster.ts';
import type { OverrideShown, ShiftPieceShown } from './api-contract.ts';
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

export type StoredOverride = Interval & {
  id: string;
  stage: number;
  userId: string;
  origin: OverrideShown['origin'];
  createdBy: string | null;
};

export async function findOverride(
  db: Handle,
  scheduleId: string,
  id: string,
): Promise<StoredOverride | null> {
  const { rows } = await sql<StoredOverride>`
    select id, stage, user_id as "userId", origin, created_by as "createdBy",
      ceil(extract(epoch from starts_at) * 1000)::float8 as "from",
      ceil(extract(epoch from ends_at) * 1000)::float8 as "to"
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

export async function findShift(db: Handle, organizationId: string, id: string): Promise<StoredShift | null> {
  const { rows } = await sql<StoredShift>`
    select id, schedule_id as "scheduleId", stage, seat, user_id as "userId",
      ceil(extract(epoch from starts_at) * 1000)::float8 as "from",
      ceil(extract(epoch from ends_at) * 1000)::float8 as "to"
    from shifts where organization_id = ${organizationId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The current shifts of one seat in a span. */
export async function piecesOf(db: Handle, scheduleId: string, place: Seated): Promise<ShiftPieceShown[]> {
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
  const { rows } = await sql<ShiftPieceShown>`
    select h.id as shift_id, h.stage, h.seat, ${utcText('h.starts_at')} as starts_at, ${utcText('h.ends_at')} as ends_at,
      ${personJson('u')} as person, ${personJson('p')} as planned, h.override_id
    from shifts h left join users u on u.id = h.user_id left join users p on p.id = h.planned_user_id
    where h.schedule_id = ${scheduleId} and h.stage = ${place.stage} and h.seat = ${place.seat}
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${instant(place.from)}, ${instant(place.to)})
    order by h.starts_at`.execute(db);
  return rows;
}
