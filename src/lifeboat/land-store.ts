import { type RawBuilder, sql } from 'kysely';
import type { Client } from 'pg';
import { listTables } from '../db/backup/catalog.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { keyName, lockKeys, openPages, type PageKey } from '../pages/keyed-store.ts';
import { URGENCIES } from '../pages/urgency-contract.ts';
import { EARLIER } from '../sources/store.ts';
import type { Aboard, Row } from './aboard-store.ts';
import type { Known } from './prepare.ts';
import { isOpen, keyOf } from './rows.ts';

/** The columns of each table that both databases have. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** Columns that each database numbers itself. */
const NUMBERED = new Set(['page_steps.id', 'page_events.id', 'responders.id', 'waiting_pages.id']);

/** The columns of each table that both databases have, without those that each numbers itself. */
export async function commonColumns(main: Database, local: Database): Promise<Columns> {
  const [theirs, ours] = [await tablesOf(main), await tablesOf(local)];
  return new Map(
    [...ours].map(([name, columns]) => {
      const there = new Set(theirs.get(name));
      return [name, columns.filter((column) => there.has(column) && !NUMBERED.has(`${name}.${column}`))];
    }),
  );
}

async function tablesOf(db: Database): Promise<Map<string, string[]>> {
  return db.connection().execute(async (handle) => {
    const query = async (text: string) => await sql.raw(text).execute(handle);
    const tables = await listTables({ query } as unknown as Client);
    return new Map(tables.map(({ name, columns }) => [name, columns]));
  });
}

/**
 * Claims the idempotency keys. Returns those that belong to another request of the main database with the same body, as
 * pairs of request ids. A request with another body would have been refused there, but was accepted, so it is no repeat.
 */
export async function claimKeys(tx: Tx, keys: readonly Row[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const input = JSON.stringify(keys);
  const answered = (answer: RawBuilder<unknown>) =>
    sql`convert_from(${answer}, 'UTF8')::jsonb ->> 'service_request_id'`;
  const rowsOfInput = sql`jsonb_populate_recordset(null::idempotency_keys, ${input}::jsonb)`;
  await sql`
    insert into idempotency_keys as known (credential, key, fingerprint, organization_id, status, answer, created_at)
    select credential, key, fingerprint, organization_id, status, answer, created_at from ${rowsOfInput}
    order by credential, key
    on conflict (credential, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
      where known.created_at < excluded.created_at - interval '24 hours'`.execute(tx);
  // A separate statement, because only it sees a key that another lifeboat committed while this one waited for it.
  const { rows } = await sql<{ mine: string; other: string }>`
    select ${answered(sql`i.answer`)} as mine, ${answered(sql`k.answer`)} as other
    from ${rowsOfInput} i join idempotency_keys k on k.credential = i.credential and k.key = i.key
    where k.answer is not null and k.fingerprint = i.fingerprint`.execute(tx);
  return new Map(rows.filter(({ mine, other }) => mine !== other).map(({ mine, other }) => [mine, other]));
}

/** Reads the rows of the main database to which these rows refer, and locks the dedup keys of their pages. */
export async function readKnown(
  tx: Tx,
  aboard: Aboard,
  organizations: ReadonlySet<string>,
): Promise<Omit<Known, 'sameAs'>> {
  const all = Object.values(aboard).flat();
  const ids = (column: string) => [
    ...new Set(all.map((row) => row[column]).filter((id) => typeof id === 'string')),
  ];
  const users = ['user_id', 'raised_by', 'acknowledged_by', 'resolved_by'].flatMap(ids);
  const pages = aboard.pages.map(({ id }) => String(id));
  const waiting = aboard.lifeboat_waiting.map((row) => waitingKeyOf(row.waiting as Row));
  await lockKeys(tx, [...aboard.pages.map(keyOf), ...waiting]);
  return {
    organizations,
    teams: await existing(tx, 'teams', ids('team_id')),
    users: await existing(tx, 'users', users),
    methods: await existing(tx, 'contact_methods', ids('contact_method_id')),
    webhooks: await existing(tx, 'webhooks', [...ids('webhook_id'), ...ids('source_id')]),
    pages: await existing(tx, 'pages', pages),
  };
}

/** The organizations of these rows that still exist. */
export function knownOrganizations(tx: Tx, { requests }: Aboard): Promise<Set<string>> {
  return existing(
    tx,
    'organizations',
    requests.map(({ organization_id }) => String(organization_id)),
  );
}

async function existing(
  tx: Tx,
  table: 'organizations' | 'teams' | 'users' | 'contact_methods' | 'pages' | 'webhooks',
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${[...ids]}::text[]) for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * By the id of a landing page: the page of the main database with the same cause, or an open page with its dedup key.
 * Call it after `joinStates`, so that a page that ended in the lifeboat is no longer open.
 */
export async function pagesAboutTheSame(
  tx: Tx,
  { pages, request_pages }: Aboard,
  repeated: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const origins = originsOf(pages, request_pages, repeated);
  const byOrigin = await pagesByOrigin(tx, [...origins.values()].flat());
  const open = await openPages(tx, pages.filter(isOpen).map(keyOf));
  return new Map(
    pages.flatMap((page) => {
      const named = origins.get(String(page.id))?.find((origin) => byOrigin.has(originName(origin)));
      const same =
        (named && byOrigin.get(originName(named))) ??
        (isOpen(page) ? open.get(keyName(keyOf(page)) ?? '')?.id : undefined);
      return same === undefined || same === page.id ? [] : [[String(page.id), same]];
    }),
  );
}

function waitingKeyOf({ organization_id, source_id, dedup_key }: Row): PageKey {
  return keyOf({ organization_id, dedup_scope: source_id, dedup_key });
}

/**
 * A request that raised a page, and the position of the event in its call; 0 for requests that are themselves a page.
 */
type Origin = { request: string; position: number };

function originName({ request, position }: Origin): string {
  return `${request} ${position}`;
}

/** What raised each page, by its id: its own request, the call of its source, and later repeats of either. */
function originsOf(
  pages: readonly Row[],
  requestPages: readonly Row[],
  repeated: ReadonlyMap<string, string>,
): Map<string, Origin[]> {
  const raised = Map.groupBy(
    requestPages.filter(({ action }) => action === 'raised'),
    ({ page_id }) => page_id,
  );
  return new Map(
    pages.map((page) => {
      const own = { request: String(page.request_id), position: 0 };
      const calls = (raised.get(page.id) ?? []).map(({ request_id, position }) => ({
        ...{ request: String(request_id), position: Number(position) },
      }));
      const all = [own, ...calls].flatMap((origin) => {
        const other = repeated.get(origin.request);
        return other === undefined ? [origin] : [origin, { ...origin, request: other }];
      });
      return [String(page.id), all];
    }),
  );
}

/** The page of each origin in the main database, by `originName`. */
async function pagesByOrigin(tx: Tx, origins: readonly Origin[]): Promise<Map<string, string>> {
  const ids = sql`${origins.map(({ request }) => request)}::text[]`;
  const { rows } = await sql<Origin & { page: string }>`
    select request_id as request, position, page_id as page from request_pages
    where request_id = any(${ids}) and page_id is not null
    union all select request_id, 0, id from pages where request_id = any(${ids})`.execute(tx);
  return new Map(rows.map(({ page, ...origin }) => [originName(origin), page]));
}

/** The pages of each request's events, by the id of the request and in the order of the events. */
export async function outcomesOf(
  tx: Tx,
  requestIds: readonly string[],
): Promise<Map<string, { pageId: string | null }[]>> {
  const { rows } = await sql<{ request: string; pageId: string | null }>`
    select request_id as request, page_id as "pageId" from request_pages
    where request_id = any(${[...requestIds]}::text[]) order by request_id, position`.execute(tx);
  return Map.groupBy(rows, ({ request }) => request);
}

/** Requests that already have another page in the main database, so that the duplicate needs its own request. */
export async function requestsWithOtherPage(tx: Tx, pages: readonly Row[]): Promise<Set<string>> {
  const input = JSON.stringify(pages.map(({ id, request_id }) => ({ id, request_id })));
  const { rows } = await sql<{ id: string }>`
    select p.request_id as id from pages p
    join jsonb_to_recordset(${input}::jsonb) as n(id text, request_id text) on n.request_id = p.request_id and n.id <> p.id`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

type Writable = Exclude<keyof Aboard, 'lifeboat_waiting' | 'page_ends'> | 'inbound_answers' | 'refused_pages';

/** Inserts rows. `tail` decides what happens to existing rows, and what is returned. */
export async function insertRows<Returned>(
  tx: Tx,
  columns: Columns,
  table: Writable,
  rows: readonly Row[],
  { where = sql`true`, tail = sql`on conflict do nothing` } = {},
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const names = sql.join((columns.get(table) ?? []).map((name) => sql.ref(name)));
  const input = JSON.stringify(
    rows.map((row, index) => ({ ...row, ...(NUMBERED.has(`${table}.id`) ? { id: index } : {}) })),
  );
  const order = NUMBERED.has(`${table}.id`) ? sql`order by n.id` : sql``;
  const inserted = await sql<Returned>`
    insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${input}::jsonb) n
    where ${where} ${order} ${tail}`.execute(tx);
  return inserted.rows;
}

/** Requests: an existing one gets the end that the lifeboat recorded. */
export const REQUESTS_TAIL = sql`on conflict (id) do update
  set status = excluded.status, message = excluded.message, errors = excluded.errors, updated_at = excluded.updated_at,
    finished_at = excluded.finished_at, next_attempt_at = null
  where requests.finished_at is null and excluded.finished_at is not null`;

/** Steps that the lifeboat has run do not run again. */
export const STEPS_TAIL = sql`on conflict (page_id, round, kind, stage) do update
  set state = excluded.state, done_at = excluded.done_at
  where page_steps.state = 'due' and excluded.state <> 'due'`;

/** Deliveries that the lifeboat has sent are not sent again. */
export const DELIVERIES_TAIL = sql`on conflict (id) do update
  set state = excluded.state, attempts = excluded.attempts, failures = excluded.failures, repeat = excluded.repeat,
    provider_id = excluded.provider_id, receipt = excluded.receipt, receipt_at = excluded.receipt_at, error = excluded.error,
    sent_at = excluded.sent_at, accepted_at = excluded.accepted_at, finished_at = excluded.finished_at
  where deliveries.state in ('waiting', 'retrying') and excluded.state not in ('waiting', 'retrying')`;

/**
 * Events are not added twice. `stand_by` and `duplicate` events are equal whenever they are written. A page is raised
 * once: if the main database wrote it without an answer, the lifeboat accepted it again at another time.
 */
export const NEW_EVENTS = sql`not exists (
  select from page_events e where e.page_id = n.page_id and e.kind = n.kind
    and (n.kind = 'raised' or n.kind in ('stand_by', 'duplicate') and e.data = n.data
      or e.at = n.at and e.user_id is not distinct from n.user_id and e.data = n.data))`;

/** Calls that the lifeboat has processed are not processed again. */
const CALLS_TAIL = sql`on conflict (id) do update
  set state = excluded.state, reason = excluded.reason, attempts = excluded.attempts, processed_at = excluded.processed_at,
    claimed_by = null
  where received_notifications.state = 'queued' and excluded.state <> 'queued'
  returning id, state`;

/** Writes calls of page sources, and returns the ids of those that only the lifeboat has processed. */
export async function insertCalls(tx: Tx, columns: Columns, calls: readonly Row[]): Promise<string[]> {
  const rows = await insertRows<{ id: string; state: string }>(tx, columns, 'received_notifications', calls, {
    tail: CALLS_TAIL,
  });
  return rows.flatMap(({ id, state }) => (state === 'success' || state === 'ignored' ? [id] : []));
}

/** The effect of an event: in the main database, it may have waited until the lifeboat paged. */
export const OUTCOMES_TAIL = sql`on conflict (request_id, position) do update
  set page_id = excluded.page_id, action = excluded.action, reason = excluded.reason
  where request_pages.action = 'waiting' and excluded.action <> 'waiting'`;

/**
 * Waiting pages whose event has an outcome in the main database have landed before, and may have paged since. A later
 * trigger of a waiting key changes the content of the page, and may bring it forward.
 */
export const NEW_WAITING = sql`not exists (
  select from request_pages r where r.request_id = n.request_id and r.position = n.position)`;
export const WAITING_TAIL = sql`on conflict (source_id, dedup_key) do update
  set event = excluded.event, triggered_at = excluded.triggered_at, reason = ${EARLIER.reason}, due_at = ${EARLIER.due_at}
  where coalesce(waiting_pages.triggered_at < excluded.triggered_at, true)`;

/** The number of pages that are looked up together. */
const LOOKED_UP = 5_000;

/** Requests of pages that no longer notify in the lifeboat, but are open in the main database; the oldest first. */
export async function answeredAboard({ main, local }: { main: Handle; local: Handle }): Promise<string[]> {
  const pages = await local
    .selectFrom('pages')
    .select(['id', 'request_id'])
    .where('state', '<>', 'notifying')
    .orderBy('id')
    .execute();
  const answered: string[] = [];
  for (let from = 0; from < pages.length; from += LOOKED_UP) {
    const some = pages.slice(from, from + LOOKED_UP);
    const { rows } = await sql<{ id: string }>`
      select id from pages
      where id = any(${some.map(({ id }) => id)}::text[]) and state in ('notifying', 'acknowledged')`.execute(
      main,
    );
    const open = new Set(rows.map(({ id }) => id));
    answered.push(...some.filter(({ id }) => open.has(id)).map(({ request_id }) => request_id));
  }
  return answered;
}

/** Rows whose page, or delivery, is in the main database. */
export const OF_FORMER_PAGE = sql`exists (select from pages p where p.id = n.former_page_id)`;

/**
 * Pages that both databases have: the newer state counts. A database that has the event of the other one's answer knows
 * it and has changed the page since, for example by reopening it. If neither knows the other's answer, the further
 * state counts: resolved before acknowledged. Returns those that were changed, with their newest trigger.
 * @param answers the lifeboat's events of these pages. Call it before these are written
 */
export async function joinStates(
  tx: Tx,
  pages: readonly Row[],
  answers: readonly Row[],
): Promise<{ id: string; lastTriggerAt: string | null }[]> {
  if (pages.length === 0) return [];
  const rank = (state: RawBuilder<unknown>) =>
    sql`array_position(array['notifying', 'expired', 'acknowledged', 'resolved'], ${state})`;
  const answeredAt = (page: RawBuilder<unknown>) =>
    sql`case ${page}.state when 'acknowledged' then ${page}.acknowledged_at when 'resolved' then ${page}.resolved_at
      when 'expired' then ${page}.expired_at end`;
  const events = JSON.stringify(
    answers
      .filter(({ kind }) => ANSWERS.includes(kind))
      .map(({ page_id, kind, at }) => ({ page_id, kind, at })),
  );
  const { rows } = await sql<{ id: string; lastTriggerAt: string | null }>`
    update pages p set state = n.state, round = greatest(p.round, n.round),
      last_round = greatest(p.last_round, n.last_round), acknowledged_at = n.acknowledged_at,
      acknowledged_by = n.acknowledged_by, acknowledged_via = n.acknowledged_via,
      acknowledged_by_source = n.acknowledged_by_source, acknowledged_as = n.acknowledged_as, resolved_at = n.resolved_at,
      resolved_by = n.resolved_by, resolved_by_source = n.resolved_by_source, resolved_as = n.resolved_as,
      ended_event_at = n.ended_event_at, expired_at = n.expired_at, remind_at = n.remind_at,
      first_acknowledged_at = coalesce(p.first_acknowledged_at, n.first_acknowledged_at),
      first_acknowledged_by = coalesce(p.first_acknowledged_by, n.first_acknowledged_by)
    from jsonb_populate_recordset(null::pages, ${JSON.stringify(pages)}::jsonb) n
    where n.id = p.id and n.state <> p.state
      and not exists (
        select from page_events e where e.page_id = p.id and e.kind = n.state and e.at = ${answeredAt(sql`n`)})
      and (${rank(sql`n.state`)} > ${rank(sql`p.state`)} or exists (
        select from jsonb_to_recordset(${events}::jsonb) as e(page_id text, kind text, at timestamptz)
        where e.page_id = p.id and e.kind = p.state and e.at = ${answeredAt(sql`p`)}))
      and (n.state not in ('notifying', 'acknowledged') or p.state in ('notifying', 'acknowledged') or not exists (
        select from pages o where o.organization_id = p.organization_id and o.dedup_scope = p.dedup_scope
          and o.dedup_key = p.dedup_key and o.state in ('notifying', 'acknowledged')))
    returning p.id, to_jsonb(p.last_trigger_at) #>> '{}' as "lastTriggerAt"`.execute(tx);
  return rows;
}

/** The events with the name of the state that they lead to. */
const ANSWERS: readonly unknown[] = ['acknowledged', 'resolved', 'expired'];

/** Joins the rounds, triggers and steps of pages that both databases have, once the rows of the lifeboat are written. */
export async function joinPages(tx: Tx, pages: readonly Row[]): Promise<void> {
  if (pages.length === 0) return;
  const ids = pages.map(({ id }) => String(id));
  await sql`
    update pages p set round = n.round, last_round = greatest(p.last_round, n.last_round)
    from jsonb_populate_recordset(null::pages, ${JSON.stringify(pages)}::jsonb) n
    where n.id = p.id and n.state = 'notifying' and p.state = 'notifying' and n.round > p.round`.execute(tx);
  await mergeTriggers(tx, pages);
  await sql`
    update page_steps s set state = 'cancelled', done_at = now()
    from pages p where p.id = s.page_id and s.page_id = any(${ids}::text[]) and s.state = 'due' and p.state <> 'notifying'`.execute(
    tx,
  );
}

/**
 * Adds the lifeboat's knowledge of triggers to pages of the main database, by the ids of these rows. The urgency never
 * falls, and the newest trigger decides what silences match.
 */
export async function mergeTriggers(tx: Tx, pages: readonly Row[]): Promise<void> {
  if (pages.length === 0) return;
  const urgency = (one: RawBuilder<unknown>) =>
    sql`array_position(${sql.val([...URGENCIES])}::text[], ${one})`;
  await sql`
    update pages p set urgency = case when ${urgency(sql`n.urgency`)} > ${urgency(sql`p.urgency`)} then n.urgency else p.urgency end,
      facts = case when n.last_trigger_at > p.last_trigger_at then coalesce(n.facts, p.facts) else p.facts end,
      last_trigger_at = greatest(p.last_trigger_at, n.last_trigger_at)
    from jsonb_populate_recordset(null::pages, ${JSON.stringify(pages)}::jsonb) n where n.id = p.id`.execute(
    tx,
  );
}

/**
 * The ids of pages that are resolved in the main database although this lifeboat got a later trigger, so their problem
 * came back. A resolution by a source or another lifeboat applies from when it was received, not from when it was
 * processed or landed.
 */
export async function pagesTriggeredAfterEnd(tx: Tx, pages: readonly Row[]): Promise<Set<string>> {
  const open = pages.filter((page) => isOpen(page) && page.dedup_key !== null);
  if (open.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select p.id from jsonb_populate_recordset(null::pages, ${JSON.stringify(open)}::jsonb) n join pages p on p.id = n.id
    where p.state = 'resolved' and n.last_trigger_at > p.last_trigger_at and (n.last_trigger_at > coalesce((
        select max(r.created_at) from request_pages c join requests r on r.id = c.request_id
        where c.page_id = p.id and c.action = 'resolved' and p.resolved_by_source is not null), p.resolved_at) or exists (
      select from lifeboat_answers a
      where a.organization_id = p.organization_id and a.dedup_scope = p.dedup_scope and a.dedup_key = p.dedup_key
        and a.action = 'resolve' and a.received_at > p.last_trigger_at and a.received_at < n.last_trigger_at))`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The responders of these pages in the main database, by `responderName`. */
export async function respondersOf(tx: Tx, pages: readonly Row[]): Promise<Map<string, number>> {
  const ids = pages.map(({ id }) => String(id));
  const { rows } = await sql<{ row: Row & { id: number } }>`
    select to_jsonb(r) as row from responders r where page_id = any(${ids}::text[])`.execute(tx);
  return new Map(rows.map(({ row }) => [responderName(row), row.id]));
}

/** What identifies a responder in every database. */
export function responderName({ page_id, user_id, round, kind, stage }: Row): string {
  return JSON.stringify([page_id, user_id, round, kind, stage]);
}

/**
 * Marks unfinished steps of these requests' pages, and their unprocessed calls, because a lifeboat may have notified
 * the same people.
 */
export async function markPossibleRepeats(main: Handle, requestIds: readonly string[]): Promise<void> {
  await sql`
    update page_steps s set may_repeat = true from pages p
    where p.id = s.page_id and s.state = 'due' and p.request_id = any(${[...requestIds]}::text[])`.execute(
    main,
  );
  await sql`
    update received_notifications set may_repeat = true
    where state = 'queued' and request_id = any(${[...requestIds]}::text[])`.execute(main);
}

/** Removes the marks of a landing, because it is complete. */
export async function clearMarks(
  main: Handle,
  { pages, deliveries }: { pages: readonly string[]; deliveries: readonly string[] },
): Promise<void> {
  await sql`
    update page_steps set may_repeat = false where page_id = any(${[...pages]}::text[]) and state = 'due'`.execute(
    main,
  );
  await sql`
    update deliveries set repeat = false where id = any(${[...deliveries]}::text[]) and state in ('waiting', 'retrying')`.execute(
    main,
  );
}

/** Links bundled notifications to their carrier, once all of them exist. */
export async function linkBundled(
  main: Handle,
  bundled: readonly { id: string; into: string }[],
): Promise<void> {
  if (bundled.length === 0) return;
  await sql`
    update deliveries d set bundled_into = n."into" from jsonb_to_recordset(${JSON.stringify(bundled)}::jsonb) as n(id text, "into" text)
    where d.id = n.id and d.bundled_into is null and exists (select from deliveries c where c.id = n."into")`.execute(
    main,
  );
}

export const OF_KNOWN_SOURCE = sql`exists (
  select from webhooks w where w.organization_id = n.organization_id and w.id = n.webhook_id)`;

export const OF_KNOWN_PERSON = sql`exists (
  select from users u where u.organization_id = n.organization_id and u.id = n.user_id)`;

/** Ends a request, unless it has ended. */
export async function failRequest(tx: Tx, id: string, message: string): Promise<void> {
  await sql`
    update requests set status = 'failed', message = ${message}, finished_at = now(), updated_at = now(), next_attempt_at = null
    where id = ${id} and finished_at is null`.execute(tx);
}

/** An owner of the organization, who sees pages that no longer belong to anybody; null if there is none. */
export async function anOwner(tx: Tx, organizationId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('disabled_at', (order) => order.desc().nullsFirst())
    .orderBy('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The time of the transaction as the text of a row's JSON. */
export async function nowOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ at: string }>`select to_jsonb(now()) #>> '{}' as at`.execute(tx);
  return rows[0]?.at ?? Temporal.Now.instant().toString();
}

/** The row of a lifeboat in its own database; null before its first copy. */
export async function findOwn(
  local: Handle,
): Promise<{ id: string; copiedAt: Temporal.Instant | null } | null> {
  const row = await local.selectFrom('lifeboats').select(['id', 'copied_at as copiedAt']).executeTakeFirst();
  return row ?? null;
}

/** Registers this node's lifeboat, and shows that the main database accepts writes. */
export async function noteLifeboat(
  main: Handle,
  boat: { id: string; host: string; state: string; copiedAt: Temporal.Instant | null },
): Promise<void> {
  await sql`
    insert into lifeboats (id, host, state, copied_at, seen_at) values (${boat.id}, ${boat.host}, ${boat.state}, ${boat.copiedAt}, now())
    on conflict (id) do update set host = excluded.host, state = excluded.state, copied_at = excluded.copied_at, seen_at = excluded.seen_at`.execute(
    main,
  );
}

/** Whether a lifeboat other than this one has not landed yet. */
export async function anyAfloat(main: Handle, id: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from lifeboats where id <> ${id} and state <> 'ashore' and seen_at > now() - interval '10 seconds') as any`.execute(
    main,
  );
  return rows[0]?.any === true;
}

/** Deletes lifeboats that ended long ago, and answers for which no lifeboat can land a page any longer. */
export async function forgetOldLifeboats(main: Handle): Promise<void> {
  await sql`delete from lifeboat_answers where received_at < now() - interval '30 days'`.execute(main);
  await sql`delete from lifeboats where seen_at < now() - interval '30 days'`.execute(main);
}
