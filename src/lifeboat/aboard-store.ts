import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { leaseOwners, releaseLeases } from '../notifications/outcome-store.ts';
import type { ActingSource } from '../pages/event-contract.ts';
import type { PageSignal } from '../pages/keyed.ts';
import type { PageKey } from '../pages/keyed-store.ts';
import { markDue } from '../worker/store.ts';

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
  /** Waiting pages that were read from the main database. `done`: nothing of it waits any longer. */
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

/** How many requests are aboard. */
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
 * The requests whose page is open, and whether it still notifies: of `requests`, which are requests of pages, and of the
 * pages that `calls` of page sources raised. If there are more, those that notify come first, and then the newest.
 */
export async function stillOpen(
  main: Handle,
  { requests, calls, limit }: { requests: readonly string[]; calls: readonly string[]; limit: number },
): Promise<{ id: string; notifies: boolean }[]> {
  const { rows } = await sql<{ id: string; notifies: boolean }>`
    select request_id as id, state = 'notifying' as notifies from pages
    where state in ('notifying', 'acknowledged') and (request_id = any(${[...requests]}::text[]) or id in (
      select page_id from request_pages where request_id = any(${[...calls]}::text[]) and action = 'raised'))
    order by notifies desc, request_id desc limit ${limit}`.execute(main);
  return rows;
}

/** The newest requests of open pages that are aboard. */
export async function openRequests(local: Handle, limit: number): Promise<string[]> {
  const rows = await local
    .selectFrom('pages')
    .select('request_id')
    .where('state', 'in', ['notifying', 'acknowledged'])
    .orderBy('request_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.request_id);
}

/**
 * Marks work that may have happened in the main database after it was read: steps that are due, and notifications that
 * were about to be sent.
 */
export async function markDueAboard(local: Handle): Promise<void> {
  await markDue(local, sql`now()`);
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

/** The rows that belong to no request; of refused pages and calls, the newest 1,000. */
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

/** An acknowledgement or resolution by dedup key that a lifeboat accepted. */
export type LifeboatAnswer = {
  organizationId: string;
  scope: string;
  dedupKey: string;
  action: 'acknowledge' | 'unacknowledge' | 'resolve';
  receivedAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  source: ActingSource | null;
  userId: string | null;
};

/** The row of an answer that a lifeboat accepted. */
export function answerRow({ organizationId, scope, dedupKey, action, receivedAt, ...more }: PageSignal): Row {
  return {
    ...{ organization_id: organizationId, dedup_scope: scope, dedup_key: dedupKey, action },
    ...{ received_at: receivedAt, sent_at: more.sentAt ?? null, source: more.source, user_id: more.userId },
  };
}

/** Stores answers. Only the newest of each key and kind is kept, so that repeats do not accumulate. */
export async function storeAnswers(tx: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into lifeboat_answers (organization_id, dedup_scope, dedup_key, action, received_at, sent_at, source, user_id)
    select distinct on (organization_id, dedup_scope, dedup_key, action)
      organization_id, dedup_scope, dedup_key, action, received_at, sent_at, source,
      (select id from users u where u.organization_id = n.organization_id and u.id = n.user_id)
    from jsonb_populate_recordset(null::lifeboat_answers, ${JSON.stringify(rows)}::jsonb) n
    where exists (select from organizations o where o.id = n.organization_id)
    order by organization_id, dedup_scope, dedup_key, action, received_at desc
    on conflict (organization_id, dedup_scope, dedup_key, action) do update
      set received_at = excluded.received_at, sent_at = excluded.sent_at, source = excluded.source, user_id = excluded.user_id
      where lifeboat_answers.received_at < excluded.received_at`.execute(tx);
}

/** The answers for these keys, in the order of their receipt. */
export async function findAnswers(tx: Tx, keys: readonly PageKey[]): Promise<LifeboatAnswer[]> {
  const named = keys.flatMap(({ organizationId, scope, dedupKey }) =>
    scope === null || dedupKey === null
      ? []
      : [{ organization_id: organizationId, scope, dedup_key: dedupKey }],
  );
  if (named.length === 0) return [];
  const { rows } = await sql<LifeboatAnswer>`
    select organization_id as "organizationId", dedup_scope as scope, dedup_key as "dedupKey", action,
      received_at as "receivedAt", sent_at as "sentAt", source, user_id as "userId"
    from lifeboat_answers
    where (organization_id, dedup_scope, dedup_key) in (
      select organization_id, scope, dedup_key from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as key(organization_id text, scope text, dedup_key text))
    order by received_at`.execute(tx);
  return rows;
}

/** Deletes waiting triggers in this database that have these answers' keys and were received before their end. */
export async function endWaiting(tx: Tx, answers: readonly LifeboatAnswer[]): Promise<void> {
  const input = answers.flatMap(({ action, scope, dedupKey, receivedAt }) =>
    action === 'resolve' ? [{ source_id: scope, dedup_key: dedupKey, at: receivedAt }] : [],
  );
  if (input.length === 0) return;
  await sql`
    delete from waiting_pages w
    using jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as ended(source_id text, dedup_key text, at timestamptz)
    where w.source_id = ended.source_id and w.dedup_key = ended.dedup_key
      and coalesce(w.triggered_at, w.created_at) < ended.at`.execute(tx);
}

export async function forgetAnswers(local: Handle): Promise<void> {
  await sql`delete from lifeboat_answers`.execute(local);
}

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

/** These waiting pages of the main database, with their requests. */
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
