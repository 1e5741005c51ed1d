import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { firstIdAt, type Prefix } from '../kit/typeid.ts';
import type { Sweep } from './retention-store.ts';

/** Removes rows created before `before` for which `over` holds, in the order of their ids. */
function sweepOf(
  table: string,
  prefix: Prefix,
  over: (before: Temporal.Instant) => RawBuilder<unknown>,
): Sweep {
  return async (db, before, after, limit) => {
    const { rows } = await sql<{ id: string; over: boolean }>`
      select old.id, ${over(before)} as over from ${sql.table(table)} old
      where old.id > ${after} and old.id < ${firstIdAt(prefix, before)} order by old.id limit ${limit}`.execute(
      db,
    );
    const ids = rows.filter((row) => row.over).map(({ id }) => id);
    await sql`delete from ${sql.table(table)} where id = any(${ids}::text[])`.execute(db);
    return { removed: ids.length, upTo: rows.at(-1)?.id ?? null };
  };
}

export const sweepShifts = sweepOf('shifts', 'shift', (before) => sql`old.ends_at < ${before}`);

/** Covers that changed the owner of a shift stay as long as the shift. */
export const sweepOverrides = sweepOf(
  'overrides',
  'override',
  (before) => sql`old.ends_at < ${before} and not exists (select from shifts where override_id = old.id)`,
);

export const sweepCovers = sweepOf(
  'covers',
  'cover',
  (before) =>
    sql`old.state not in ('open', 'proposed') and old.ends_at < ${before} and old.updated_at < ${before}`,
);

export const sweepSwaps = sweepOf(
  'swaps',
  'swap',
  (before) => sql`old.state <> 'proposed' and greatest(old.given_ends_at, old.wanted_ends_at) < ${before}
    and old.updated_at < ${before}`,
);

/** Removes discarded plans, and published plans before the current one. */
export const sweepPlans = sweepOf(
  'plans',
  'plan',
  (
    before,
  ) => sql`old.updated_at < ${before} and (old.state = 'discarded' or old.state = 'published' and exists (
    select from plans newer where newer.schedule_id = old.schedule_id and newer.state = 'published'
      and newer.published_at > old.published_at))`,
);

/** Removes absences, preferences and requests, together with what their calendar said about them. */
export const sweepAvailabilities = sweepOf(
  'availabilities',
  'availability',
  (before) => sql`old.ends_at < ${before}`,
);

/** Removes days of followed holiday lists, which grow by themselves. Days that people entered stay. */
export async function forgetHolidays(db: Handle, before: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from holidays where (calendar_id, date) in (
      select h.calendar_id, h.date from holiday_calendars c join holidays h on h.calendar_id = c.id
      where c.url is not null and h.date < (${before}::timestamptz at time zone 'UTC')::date limit ${limit})
    returning date`.execute(db);
  return rows.length;
}
