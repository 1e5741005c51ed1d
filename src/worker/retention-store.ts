import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { firstIdAt, type Prefix } from '../kit/typeid.ts';

/** The result of one batch: how many rows were removed, and the last id; null when there are no older rows. */
export type Swept = { removed: number; upTo: string | null };

/** One batch of rows in the order of creation, from `after` on, of those created before `before`. */
export type Sweep = (db: Handle, before: Temporal.Instant, after: string, limit: number) => Promise<Swept>;

type Looked = { id: string; over: boolean };

/**
 * Removes pages that have ended, by deleting their requests; everything else of a page is deleted with its request. A page
 * whose acknowledgement times out, or whose snooze ends, has not ended: it notifies people again.
 */
export const sweepPages: Sweep = async (db, before, after, limit) => {
  const { rows } = await sql<Looked & { requestId: string }>`
    select id, request_id as "requestId", state <> 'notifying' and (state <> 'acknowledged' or remind_at is null)
      and created_at < ${before} as over from pages
    where id > ${after} and id < ${firstIdAt('page', before)} order by id limit ${limit}`.execute(db);
  const over = rows.filter((row) => row.over).map(({ requestId }) => requestId);
  await sql`delete from requests where id = any(${over}::text[])`.execute(db);
  return swept(rows);
};

/** Removes requests that raised no page, unless a received call still refers to them. Those of pages go with their page. */
export const sweepRequests: Sweep = async (db, before, after, limit) => {
  const { rows } = await sql<Looked>`
    select id, finished_at < ${before} and not exists (select from pages p where p.request_id = r.id)
      and not exists (select from received_notifications n where n.request_id = r.id) as over from requests r
    where id > ${after} and id < ${firstIdAt('request', before)} order by id limit ${limit}`.execute(db);
  await sql`delete from requests where id = any(${overOf(rows)}::text[])`.execute(db);
  return swept(rows);
};

/** Removes moments without recent events, in any state. */
export const sweepMoments: Sweep = async (db, before, after, limit) => {
  const { rows } = await sql<Looked>`
    select id, updated_at < ${before} and created_at < ${before} as over from moments
    where id > ${after} and id < ${firstIdAt('moment', before)} order by id limit ${limit}`.execute(db);
  await sql`delete from moments where id = any(${overOf(rows)}::text[])`.execute(db);
  return swept(rows);
};

export const sweepRefusedPages: Sweep = async (db, before, after, limit) => {
  const { rows } = await sql<Looked>`
    select id, refused_at < ${before} as over from refused_pages
    where id > ${after} and id < ${firstIdAt('refused_page', before)} order by id limit ${limit}`.execute(db);
  await sql`delete from refused_pages where id = any(${overOf(rows)}::text[])`.execute(db);
  return swept(rows);
};

/** Ids follow the order of writing, so the first recent row ends the batch. */
export async function forgetAudit(db: Handle, before: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from audit_log where id in (
      select id from (select id, at from audit_log order by id limit ${limit}) oldest where at < ${before})
    returning id`.execute(db);
  return rows.length;
}

/** Removes keys; until then, the log shows who created and revoked them. */
export async function forgetRevokedKeys(
  db: Handle,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from api_keys where id in (
      select id from api_keys where id < ${firstIdAt('api_key', before)} and revoked_at < ${before}
      order by id limit ${limit}) returning id`.execute(db);
  return rows.length;
}

export async function forgetFormerShifts(
  db: Handle,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from former_shifts where id in (
      select id from former_shifts where ends_at < ${before} limit ${limit}) returning id`.execute(db);
  return rows.length;
}

export async function forgetProblems(db: Handle, before: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from problems where id in (
      select id from problems where closed_at < ${before} limit ${limit}) returning id`.execute(db);
  return rows.length;
}

/** Removes nodes that ended, or started long ago and hold no lock. */
export async function forgetNodes(db: Handle, before: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from nodes where id in (
      select id from nodes n where coalesce(stopped_at, seen_at, started_at) < ${before}
        and not ${nodeIsRunning('n.id')}
      limit ${limit})
    returning id`.execute(db);
  return rows.length;
}

function overOf(rows: readonly Looked[]): string[] {
  return rows.filter((row) => row.over).map(({ id }) => id);
}

function swept(rows: readonly Looked[]): Swept {
  return { removed: overOf(rows).length, upTo: rows.at(-1)?.id ?? null };
}

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
