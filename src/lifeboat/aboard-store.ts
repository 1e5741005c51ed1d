import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { leaseOwners, releaseLeases } from '../notifications/outcome-store.ts';

/** A row as JSON, with the names of its columns. Times are texts with microseconds. */
export type Row = Record<string, unknown>;

/** Some requests that a lifeboat accepted, with all of their results. */
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
  /** Calls of page sources. */
  received_notifications: Row[];
  webhook_deliveries: Row[];
  waiting_pages: Row[];
  /** Waiting pages that were read from the main database. `done`: nothing of it waits any more. */
  lifeboat_waiting: Row[];
  /**
   * When the problems of the pages with a dedup key that are resolved or expired ended: `page_id` and `ended_at`, the
   * receipt of the source's resolution, or else the time at which the page ended.
   */
  page_ends: Row[];
};

/** Whether the lifeboat holds anything that belongs in the main database. */
export async function anyAboard(local: Handle): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from requests) or exists (select from refused_pages)
      or exists (select from lifeboat_answers) as any`.execute(local);
  return rows[0]?.any === true;
}

export async function countAboard(local: Handle): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from requests`.execute(
    local,
  );
  return rows[0]?.count ?? 0;
}

/**
 * The ids of the oldest requests after `last`, in order of acceptance: at most `limit`, and up to the first request
 * whose call, together with those before it, exceeds `mostBytes`.
 */
export async function nextAboard(
  local: Handle,
  last: string,
  { limit, mostBytes }: { limit: number; mostBytes: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select r.id, coalesce(sum(octet_length(n.body)) over (order by r.id rows between unbounded preceding and 1 preceding), 0) as before
      from (select id from requests where id > ${last} order by id limit ${limit}) r
      left join received_notifications n on n.request_id = r.id
    ) one where before < ${mostBytes} order by id`.execute(local);
  return rows.map(({ id }) => id);
}

/**
 * The newest requests whose page still notifies: of `requests`, which are requests of pages, and of the pages that
 * `calls` of page sources raised.
 */
export async function stillNotifying(
  main: Handle,
  { requests, calls, limit }: { requests: readonly string[]; calls: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select request_id as id from pages
    where state = 'notifying' and (request_id = any(${[...requests]}::text[]) or id in (
      select page_id from request_pages where request_id = any(${[...calls]}::text[]) and action = 'raised'))
    order by request_id desc limit ${limit}`.execute(main);
  return rows.map(({ id }) => id);
}

/** Those of these requests that are finished, so their effects are in the database. */
export async function finishedOf(main: Handle, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from requests where id = any(${[...ids]}::text[]) and finished_at is not null`.execute(main);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Marks work that may have happened in the main database after it was read: steps that are due, and notifications that
 * were about to be sent.
 */
export async function markDue(local: Handle): Promise<void> {
  await sql`update page_steps set may_repeat = true where state = 'due' and due_at <= now()`.execute(local);
  await sql`update deliveries set repeat = true where state in ('waiting', 'retrying') and due_at <= now()`.execute(
    local,
  );
}

/** Marks all unfinished work as a possible repeat. */
export async function markUnsent(local: Handle): Promise<void> {
  await sql`update page_steps set may_repeat = true where state = 'due'`.execute(local);
  await sql`update waiting_pages set may_repeat = true`.execute(local);
  await sql`update deliveries set repeat = true where state in ('waiting', 'retrying')`.execute(local);
}

/**
 * The requests of each page that still notifies: its own, and the calls that raised it. The first page is the one whose
 * next step is due first. Each table is read once: PostgreSQL does not know yet how much is in them, and may look for
 * the rows of each page by reading all of them.
 */
export async function openAboard(local: Handle): Promise<string[][]> {
  const pages = await local
    .selectFrom('pages')
    .select(['id', 'request_id'])
    .where('state', '=', 'notifying')
    .execute();
  const { rows: steps } = await sql<{ page: string; due: number }>`
    select page_id as page, extract(epoch from min(due_at))::float8 as due from page_steps where state = 'due'
    group by page_id`.execute(local);
  const calls = await local
    .selectFrom('request_pages')
    .select(['page_id', 'request_id'])
    .where('action', '=', 'raised')
    .execute();
  const due = new Map(steps.map((step) => [step.page, step.due]));
  const raised = Map.groupBy(calls, ({ page_id }) => page_id);
  const dueAt = ({ id }: { id: string }) => due.get(id) ?? Number.MAX_VALUE;
  return pages
    .toSorted((a, b) => dueAt(a) - dueAt(b) || (a.id < b.id ? -1 : 1))
    .map((page) => [page.request_id, ...(raised.get(page.id) ?? []).map(({ request_id }) => request_id)]);
}

/**
 * Everything about these requests, and about the pages that they changed, whose own requests may be different ones.
 * `calls`: with the calls of page sources, and what waits for them.
 */
export async function readAboard(
  local: Handle,
  ids: readonly string[],
  { calls: withCalls = true } = {},
): Promise<Aboard> {
  // Arrays, because PostgreSQL would join some rows with all rows of a table that it takes for empty.
  const given = sql`${[...ids]}::text[]`;
  const ofCalls = withCalls ? given : sql`'{}'::text[]`;
  const requests = sql`array(
    select unnest(${given}) union
    select request_id from pages where id = any(array(select page_id from request_pages where request_id = any(${given}))))`;
  const pages = sql`array(select id from pages where request_id = any(${requests}))`;
  const calls = sql`array(select id from received_notifications where request_id = any(${ofCalls}))`;
  // Requests and their keys are written by the same statement, so these few keys are found by their index.
  const ofSameStatement = sql`t.created_at = any(array(select created_at from requests where id = any(${requests})))`;
  const requestOfKey = sql`case when t.answer is not null then convert_from(t.answer, 'UTF8')::jsonb ->> 'service_request_id' end`;
  const deliveries = sql`array(select id from deliveries where page_id = any(${pages}))`;
  const { rows } = await sql<Aboard>`select
    ${rowsOf('requests', sql`t.id = any(${requests})`)},
    ${rowsOf('idempotency_keys', sql`${ofSameStatement} and ${requestOfKey} = any(${requests})`)},
    ${rowsOf('pages', sql`t.request_id = any(${requests})`)},
    ${rowsOf('page_steps', sql`t.page_id = any(${pages})`)},
    ${rowsOf('page_events', sql`t.page_id = any(${pages})`)},
    ${rowsOf('responders', sql`t.page_id = any(${pages})`)},
    ${rowsOf('deliveries', sql`t.page_id = any(${pages})`)},
    ${rowsOf('delivery_attempts', sql`t.delivery_id = any(${deliveries})`)},
    ${rowsOf('request_pages', sql`t.request_id = any(${given})`)},
    ${rowsOf('pages_again', sql`t.page_id = any(${pages})`)},
    ${rowsOf('all_clears', sql`t.delivery_id = any(${deliveries})`)},
    ${rowsOf('received_notifications', sql`t.request_id = any(${ofCalls})`)},
    ${rowsOf('webhook_deliveries', sql`t.notification_id = any(${calls})`)},
    ${rowsOf('waiting_pages', sql`t.request_id = any(${ofCalls})`)},
    ${endsOf(pages)},
    ${waitedOf(ofCalls)}`.execute(local);
  const [row] = rows;
  if (!row) throw new Error('the lifeboat did not return its rows');
  return row;
}

function endsOf(pages: ReturnType<typeof sql>) {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('page_id', p.id, 'ended_at', case
      when p.resolved_by_source is null then coalesce(p.resolved_at, p.expired_at)
      else coalesce((select max(r.created_at) from request_pages c join requests r on r.id = c.request_id
        where c.page_id = p.id and c.action = 'resolved'), p.resolved_at) end) order by p.id), '[]')
    from pages p where p.id = any(${pages}) and p.state in ('resolved', 'expired') and p.dedup_key is not null) as page_ends`;
}

/**
 * A row that was put into `waiting_pages` and is no longer there is done. So is a row that was never put there, because
 * its call was processed again here and did not wait this time.
 */
function waitedOf(requests: ReturnType<typeof sql>) {
  return sql`(
    select coalesce(jsonb_agg(to_jsonb(t) - 'request' || jsonb_build_object('done', not exists (
        select from waiting_pages w where w.request_id = t.request_id and w.position = t.position)
      and (t.aboard or exists (select from request_pages p
        where p.request_id = t.request_id and p.position = t.position and p.action <> 'waiting')))
      order by t.waiting_id), '[]')
    from lifeboat_waiting t where t.request_id = any(${requests})) as lifeboat_waiting`;
}

function rowsOf(table: keyof typeof ORDER, which: ReturnType<typeof sql>) {
  return sql`(select coalesce(jsonb_agg(to_jsonb(t) order by ${sql.raw(ORDER[table])}), '[]') from ${sql.table(table)} t where ${which}) as ${sql.ref(table)}`;
}

/** Rows are written in this order, so that their new numbers have the same order. */
const ORDER: Record<Exclude<keyof Aboard, 'lifeboat_waiting' | 'page_ends'>, string> = {
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
  received_notifications: 't.id',
  webhook_deliveries: 't.webhook_id, t.delivery_id',
  waiting_pages: 't.id',
};

/** Rows that belong to no request. */
export type Loose = {
  /** Answers that were applied. */
  inbound_answers: Row[];
  /** Acknowledgements and resolutions by dedup key. */
  lifeboat_answers: Row[];
  /** Refused pages and calls of page sources; the newest are kept. */
  refused_pages: Row[];
  received_notifications: Row[];
};

export async function readLoose(local: Handle): Promise<Loose> {
  const { rows } = await sql<Loose>`select
    (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from lifeboat_answers t) as lifeboat_answers,
    (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
      select * from received_notifications where request_id is null order by id desc limit 1000) t) as received_notifications,
    (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from inbound_answers t) as inbound_answers,
    (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
      select * from refused_pages order by id desc limit 1000) t) as refused_pages`.execute(local);
  return (
    rows[0] ?? { inbound_answers: [], lifeboat_answers: [], refused_pages: [], received_notifications: [] }
  );
}

/**
 * Releases the lifeboat's leases when it has ended. The deliveries may have been sent, so they are sent again with a
 * mark.
 */
export async function releaseAboard(local: Database, clock: Clock): Promise<void> {
  for (const owner of await leaseOwners(local, 0))
    await local.transaction().execute((tx) => releaseLeases(tx, clock, owner));
}

/** Removes requests that are in the main database, with all of their results. */
export async function forgetLanded(local: Handle, ids: readonly string[]): Promise<void> {
  const requests = sql`${[...ids]}::text[]`;
  await sql`delete from waiting_pages where request_id = any(${requests})`.execute(local);
  await sql`
    delete from webhook_deliveries where notification_id in (
      select id from received_notifications where request_id = any(${requests}))`.execute(local);
  await sql`delete from requests where id = any(${requests})`.execute(local);
}

export async function forgetLoose(local: Handle): Promise<void> {
  await sql`delete from inbound_answers`.execute(local);
  await sql`delete from refused_pages`.execute(local);
  await sql`delete from received_notifications where request_id is null`.execute(local);
}
