import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/person-store.ts';
import type { Seated } from '../schedules/roster.ts';
import type { ShiftPieceShown } from './api-contract.ts';

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
