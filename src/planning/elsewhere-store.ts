import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Interval } from '../kit/interval.ts';

/** Shifts that people have in other enabled schedules of the organization between two instants, by user and start. */
export async function shiftsElsewhere(
  db: Handle,
  schedule: { id: string; organizationId: string },
  userIds: readonly string[],
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<Map<string, Interval[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<{ userId: string; startsAt: Temporal.Instant; endsAt: Temporal.Instant }>`
    select shift.user_id as "userId", shift.starts_at as "startsAt", shift.ends_at as "endsAt"
    from shifts shift join schedules other on other.id = shift.schedule_id and other.enabled
    where shift.organization_id = ${schedule.organizationId} and shift.schedule_id <> ${schedule.id}
      and shift.user_id = any(${userIds}::text[])
      and shift.starts_at < ${to} and shift.ends_at > ${from}
    order by shift.starts_at, shift.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [
      userId,
      own.map(({ startsAt, endsAt }) => ({
        from: startsAt.epochMilliseconds,
        to: endsAt.epochMilliseconds,
      })),
    ]),
  );
}
