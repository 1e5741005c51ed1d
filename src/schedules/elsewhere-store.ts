import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { type Interval, union } from '../kit/interval.ts';
import type { ElsewhereShift } from './elsewhere.ts';

type Row = Interval & { userId: string; schedule: string; key: string; isAlwaysOn: boolean };

const ms = (column: string) => sql.raw(`ceil(extract(epoch from ${column}) * 1000)::float8`);

/** Shifts that people have in other enabled schedules of the organization between two instants. */
export async function shiftsElsewhere(
  db: Handle,
  schedule: { id: string; organizationId: string },
  userIds: readonly string[],
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant | null },
): Promise<Map<string, ElsewhereShift[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select shift.user_id as "userId", other.name as schedule, ${ms('shift.starts_at')} as "from",
      ${ms('shift.ends_at')} as "to",
      concat_ws(' ', other.id, shift.stage, shift.seat, coalesce(shift.planned_starts_at, shift.starts_at)) as key,
      coalesce(stage.seats >= (
        select count(*) from stage_members member join users on users.id = member.user_id and users.disabled_at is null
        where member.schedule_id = other.id and member.stage = shift.stage
      ), false) as "isAlwaysOn"
    from shifts shift
    join schedules other on other.id = shift.schedule_id and other.enabled
    left join schedule_stages stage on stage.schedule_id = other.id and stage.stage = shift.stage
    where shift.organization_id = ${schedule.organizationId} and shift.schedule_id <> ${schedule.id}
      and shift.user_id = any(${userIds}::text[])
      and tstzrange(shift.starts_at, shift.ends_at) && tstzrange(${from}, ${to})
    order by shift.starts_at, shift.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [
      userId,
      [...Map.groupBy(own, ({ key }) => key).values()].map(shiftOf),
    ]),
  );
}

/** The parts of one shift that a person has. Overrides and hours divide it. */
function shiftOf(rows: readonly Row[]): ElsewhereShift {
  const parts = union(rows);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new Error('a shift has at least one part');
  const { schedule = '', isAlwaysOn = false } = rows[0] ?? {};
  return {
    ...{ from: first.from, to: last.to, schedule },
    ...(parts.length > 1 ? { parts } : {}),
    ...(isAlwaysOn ? { isAlwaysOn } : {}),
  };
}
