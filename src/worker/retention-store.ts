import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { firstIdAt } from '../kit/typeid.ts';

/** The result of one batch: how many rows were removed, and the last id; null when there are no older rows. */
export type Swept = { removed: number; upTo: string | null };

/** One batch of rows in the order of creation, from `after` on, of those created before `before`. */
export type Sweep = (db: Handle, before: Temporal.Instant, after: string, limit: number) => Promise<Swept>;

type Looked = { id: string; over: boolean };

/**
 * Removes pages that are over, by deleting their requests; everything else of a page is deleted with its request.
 */
export const sweepPages: Sweep = async (db, before, after, limit) => {
  const { rows } = await sql<Looked & { requestId: string }>`
    select id, request_id as "requestId", state <> 'notifying' and created_at < ${before} as over from pages
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
