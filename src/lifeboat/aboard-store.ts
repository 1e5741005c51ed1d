import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { leaseOwners, releaseLeases } from '../notifications/outcome-store.ts';

/** A row as JSON, with the names of its columns. Times are texts with microseconds. */
export type Row = Record<string, unknown>;

/** Some requests that a lifeboat took, with everything that came of them. */
export type Aboard = {
  requests: Row[];
  idempotency_keys: Row[];
  pages: Row[];
  page_steps: Row[];
  page_events: Row[];
  responders: Row[];
  deliveries: Row[];
  delivery_attempts: Row[];
  request_pages: Row[];
  pages_again: Row[];
  all_clears: Row[];
};

/** Whether the lifeboat holds anything that belongs into the main database. */
export async function anyAboard(local: Handle): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from requests) or exists (select from refused_pages) as any`.execute(local);
  return rows[0]?.any === true;
}

export async function countAboard(local: Handle): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from requests`.execute(
    local,
  );
  return rows[0]?.count ?? 0;
}

/** The ids of the oldest requests after `last`, in the order in which they were accepted. */
export async function nextAboard(local: Handle, last: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from requests where id > ${last} order by id limit ${limit}`.execute(local);
  return rows.map(({ id }) => id);
}

/** Those of these requests whose page still notifies, the newest of them. */
export async function stillNotifying(main: Handle, ids: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select request_id as id from pages where request_id = any(${[...ids]}::text[]) and state = 'notifying'
    order by request_id desc limit ${limit}`.execute(main);
  return rows.map(({ id }) => id);
}

/**
 * Marks what may have happened in the main database after it was read: steps that are due, and notifications that were to be
 * sent.
 */
export async function markDue(local: Handle): Promise<void> {
  await sql`update page_steps set may_repeat = true where state = 'due' and due_at <= now()`.execute(local);
  await sql`update deliveries set repeat = true where state in ('waiting', 'retrying') and due_at <= now()`.execute(
    local,
  );
}

/** Marks all that is not done as a possible repeat. */
export async function markUnsent(local: Handle): Promise<void> {
  await sql`update page_steps set may_repeat = true where state = 'due'`.execute(local);
  await sql`update deliveries set repeat = true where state in ('waiting', 'retrying')`.execute(local);
}

/** Everything about these requests. */
export async function readAboard(local: Handle, ids: readonly string[]): Promise<Aboard> {
  const requests = sql`${[...ids]}::text[]`;
  const pages = sql`(select id from pages where request_id = any(${requests}))`;
  const deliveries = sql`(select id from deliveries where page_id in ${pages})`;
  const { rows } = await sql<Aboard>`select
    ${rowsOf('requests', sql`t.id = any(${requests})`)},
    ${rowsOf('idempotency_keys', sql`t.answer is not null and convert_from(t.answer, 'UTF8')::jsonb ->> 'service_request_id' = any(${requests})`)},
    ${rowsOf('pages', sql`t.request_id = any(${requests})`)},
    ${rowsOf('page_steps', sql`t.page_id in ${pages}`)},
    ${rowsOf('page_events', sql`t.page_id in ${pages}`)},
    ${rowsOf('responders', sql`t.page_id in ${pages}`)},
    ${rowsOf('deliveries', sql`t.page_id in ${pages}`)},
    ${rowsOf('delivery_attempts', sql`t.delivery_id in ${deliveries}`)},
    ${rowsOf('request_pages', sql`t.request_id = any(${requests})`)},
    ${rowsOf('pages_again', sql`t.page_id in ${pages}`)},
    ${rowsOf('all_clears', sql`t.delivery_id in ${deliveries}`)}`.execute(local);
  const [row] = rows;
  if (!row) throw new Error('the lifeboat did not return its rows');
  return row;
}

function rowsOf(table: keyof Aboard, which: ReturnType<typeof sql>) {
  return sql`(select coalesce(jsonb_agg(to_jsonb(t) order by ${sql.raw(ORDER[table])}), '[]') from ${sql.table(table)} t where ${which}) as ${sql.ref(table)}`;
}

/** Rows are written in this order, so that their new numbers have it too. */
const ORDER: Record<keyof Aboard, string> = {
  requests: 't.id',
  idempotency_keys: 't.credential, t.key',
  pages: 't.id',
  page_steps: 't.id',
  page_events: 't.id',
  responders: 't.id',
  deliveries: 't.id',
  delivery_attempts: 't.delivery_id, t.attempt',
  request_pages: 't.request_id, t.position',
  pages_again: 't.page_id',
  all_clears: 't.id',
};

/** Answers that were applied, and pages that were refused: rows that belong to no request. */
export async function readLoose(local: Handle): Promise<{ inbound_answers: Row[]; refused_pages: Row[] }> {
  const { rows } = await sql<{ inbound_answers: Row[]; refused_pages: Row[] }>`select
    (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from inbound_answers t) as inbound_answers,
    (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
      select * from refused_pages order by id desc limit 1000) t) as refused_pages`.execute(local);
  return rows[0] ?? { inbound_answers: [], refused_pages: [] };
}

/** Releases what the lifeboat had leased when it ended. It may have been sent, so that it is sent again with a mark. */
export async function releaseAboard(local: Database, clock: Clock): Promise<void> {
  for (const owner of await leaseOwners(local, 0))
    await local.transaction().execute((tx) => releaseLeases(tx, clock, owner));
}

/** Removes requests that are in the main database, with everything that came of them. */
export async function forgetLanded(local: Handle, ids: readonly string[]): Promise<void> {
  await sql`delete from requests where id = any(${[...ids]}::text[])`.execute(local);
}

export async function forgetLoose(local: Handle): Promise<void> {
  await sql`delete from inbound_answers`.execute(local);
  await sql`delete from refused_pages`.execute(local);
}
