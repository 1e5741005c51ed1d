import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** A published shift that its person would miss, at least in part. */
export type ConflictingShift = {
  id: string;
  userId: string;
  scheduleId: string;
  scheduleName: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  /** The number of all such shifts, including those beyond the limit. */
  total: number;
};

export type Away = { userId: string; startsAt: string; endsAt: string };

/** No shift is longer than this, which limits how far back to look. */
const LONGEST_SHIFT = { hours: 90 * 24 };

/**
 * Shifts of enabled schedules that overlap the absences of their people and are not over at `at`; the first `limit`, by
 * start. Reads each person's shifts once, however many absences there are.
 */
export async function conflictingShifts(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
  absences: readonly Away[],
  limit: number,
): Promise<ConflictingShift[]> {
  if (absences.length === 0) return [];
  const { rows } = await sql<ConflictingShift>`
    with away as materialized (
      select user_id, range_agg(tstzrange(starts_at, ends_at)) as times
      from unnest(${listOf(absences.map(({ userId }) => userId))},
        ${listOf(absences.map(({ startsAt }) => startsAt))}::timestamptz[],
        ${listOf(absences.map(({ endsAt }) => endsAt))}::timestamptz[]) as given (user_id, starts_at, ends_at)
      where ends_at > ${at} group by user_id
    )
    select h.id, h.user_id as "userId", s.id as "scheduleId", s.name as "scheduleName", h.stage,
      h.starts_at as "startsAt", h.ends_at as "endsAt", (count(*) over ())::int as total
    from away cross join lateral (
      select * from shifts
      where user_id = away.user_id and starts_at > ${at.subtract(LONGEST_SHIFT)} and ends_at > ${at}
        and organization_id = ${organizationId}
        and away.times && tstzrange(starts_at, ends_at)
      offset 0
    ) h join schedules s on s.id = h.schedule_id and s.enabled
    order by h.starts_at, h.stage, h.seat, h.id limit ${limit}`.execute(db);
  return rows;
}

/** Joins ids and times, which contain no blanks: the driver is slow at quoting a hundred thousand items of an array. */
function listOf(items: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${items.join(' ')}, ' ')`;
}
