import { sql } from 'kysely';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { Row } from './aboard-store.ts';

/** The most waiting pages that lifeboats take, and the bytes of their events. Those that are due first are taken. */
const MOST_WAITING = 10_000;
const MOST_BYTES = 64 * 1_024 * 1_024;
/** A lifeboat that was not seen for this long loses its waiting pages to others. Lifeboats are seen every second. */
const GONE_AFTER = '30 seconds';

type Bounds = { mostRows?: number; mostBytes?: number };

/** The numbers of the waiting pages that lifeboats take. */
function taken({ mostRows = MOST_WAITING, mostBytes = MOST_BYTES }: Bounds) {
  return sql`(
    select id from (
      select id, sum(pg_column_size(event)) over (order by due_at, id rows unbounded preceding) as bytes from (
        select id, due_at, event from waiting_pages where request_id is not null order by due_at, id limit ${mostRows}) first
    ) sized where bytes <= ${mostBytes})`;
}

/**
 * Takes waiting pages of the main database that no other lifeboat has. Those of a lifeboat that is gone are marked as
 * possible repeats, because it may be cut off and page them.
 */
export async function claimWaiting(main: Handle, lifeboat: string, bounds: Bounds = {}): Promise<void> {
  // Rows that are locked are skipped, so that this cannot deadlock with events of their keys.
  await sql`
    with free as (
      select id from waiting_pages w
      where id in ${taken(bounds)} and (lifeboat is null or lifeboat <> ${lifeboat} and not exists (
        select from lifeboats b where b.id = w.lifeboat and b.seen_at > now() - ${sql.lit(GONE_AFTER)}::interval))
      for update skip locked
    )
    update waiting_pages w set lifeboat = ${lifeboat}, may_repeat = may_repeat or lifeboat is not null
    from free where w.id = free.id`.execute(main);
}

/** Lets other lifeboats take this one's pages, because its node ends. */
export async function releaseWaiting(main: Handle, lifeboat: string): Promise<void> {
  await sql`
    with own as (select id from waiting_pages where lifeboat = ${lifeboat} for update skip locked)
    update waiting_pages w set lifeboat = null from own where w.id = own.id`.execute(main);
}

/**
 * The waiting pages that this lifeboat has taken, by their number, each with a value that changes whenever its row
 * does.
 */
export async function claimedWaiting(
  main: Handle,
  lifeboat: string,
  bounds: Bounds = {},
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; version: string }>`
    select id::text as id, xmin::text as version from waiting_pages
    where id in ${taken(bounds)} and lifeboat = ${lifeboat}`.execute(main);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** A waiting page of the main database that a lifeboat keeps. */
export type Kept = { waiting: Row; request: Row };

export async function readWaiting(main: Handle, ids: readonly string[]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select to_jsonb(w) as waiting, to_jsonb(r) as request
    from waiting_pages w join requests r on r.id = w.request_id where w.id = any(${[...ids]}::bigint[])`.execute(
    main,
  );
  return rows;
}

/** Stores waiting pages in the database of the lifeboat, and replaces earlier ones. */
export async function keepWaiting(local: Handle, rows: readonly Kept[]): Promise<void> {
  await sql`
    insert into lifeboat_waiting (waiting_id, request_id, position, triggered_at, waiting, request)
    select (waiting ->> 'id')::bigint, waiting ->> 'request_id', (waiting ->> 'position')::integer,
      coalesce(waiting ->> 'triggered_at', waiting ->> 'created_at')::timestamptz, waiting, request
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(waiting jsonb, request jsonb)
    on conflict (waiting_id) do update set request_id = excluded.request_id, position = excluded.position,
      triggered_at = excluded.triggered_at, waiting = excluded.waiting, request = excluded.request, aboard = false`.execute(
    local,
  );
}

/** Deletes all but these. */
export async function forgetOthers(local: Handle, ids: Iterable<string>): Promise<void> {
  await sql`delete from lifeboat_waiting where waiting_id <> all(${[...ids]}::bigint[])`.execute(local);
}

/** The lifeboat's waiting pages, the earliest due first. `isDue`: the main database may have paged it meanwhile. */
export async function listWaiting(
  local: Handle,
  from: number,
  limit: number,
): Promise<(Kept & { isDue: boolean })[]> {
  const { rows } = await sql<Kept & { isDue: boolean }>`
    select waiting, request, (waiting ->> 'due_at')::timestamptz <= now() as "isDue" from lifeboat_waiting
    order by (waiting ->> 'due_at')::timestamptz, waiting_id offset ${from} limit ${limit}`.execute(local);
  return rows;
}

/** Records which of these are in `waiting_pages` of the lifeboat now. */
export async function noteAboard(tx: Tx, kept: readonly Kept[]): Promise<void> {
  const ids = kept.map(({ waiting }) => String(waiting.id));
  await sql`
    update lifeboat_waiting t set aboard = true
    where waiting_id = any(${ids}::bigint[]) and exists (
      select from waiting_pages w where w.request_id = t.request_id and w.position = t.position)`.execute(tx);
}

export async function forgetWaiting(local: Database): Promise<void> {
  await sql`delete from lifeboat_waiting`.execute(local);
}

/**
 * Deletes waiting pages of the main database that a lifeboat has paged, or that were answered there before. Pages that
 * were triggered again since the lifeboat read them continue to wait.
 */
export async function endWaited(tx: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    delete from waiting_pages w
    using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(waiting_id bigint, triggered_at timestamptz)
    where w.id = n.waiting_id and coalesce(w.triggered_at, w.created_at) <= n.triggered_at`.execute(tx);
}
