import { sql } from 'kysely';
import { LOCK } from '../db/advisory-locks.ts';
import type { Handle, Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import { processingRequests } from '../requests/store.ts';
import type { PageAction } from './contract.ts';
import type { ActingSource } from './event-contract.ts';
import type { PageFacts, PageSignal } from './keyed.ts';
import { type FirstSteps, firstStepClauses } from './step-store.ts';
import { followedBy, newPage, type PageRow, pageRow, turnColumns } from './store.ts';
import type { Urgency } from './urgency-contract.ts';

type Trigger = PageSignal & { action: 'trigger' };

/** The values by which a page is found. A null `dedupKey` finds none. */
export type PageKey = { organizationId: string; scope: string | null; dedupKey: string | null };

/** Beyond this number of lines about repetitions, a page's timeline updates the last one. */
const MOST_REPETITION_LINES = 100;

/** The name of a key in maps; null without a key. */
export function keyName({ organizationId, scope, dedupKey }: PageKey): string | null {
  return dedupKey === null ? null : JSON.stringify([organizationId, scope, dedupKey]);
}

/** Locks keys until the end of the transaction, always in the same order, so that transactions cannot deadlock. */
export async function lockKeys(tx: Tx, keys: readonly PageKey[]): Promise<void> {
  const names = keys.map(keyName).filter((name) => name !== null);
  if (names.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(${LOCK.dedupKey}, lock.name) from (
      select distinct hashtext(name) as name from unnest(${names}::text[]) as key(name) order by name offset 0
    ) as lock`.execute(tx);
}

/**
 * The open pages of these keys by `keyName`, locked until the end of the transaction. Each key is looked up by itself in the
 * index of open keys: joined with `pages`, the keys would be compared with every page.
 */
export async function openPages(tx: Tx, keys: readonly PageKey[]): Promise<Map<string, PageRow>> {
  const known = keysAsJson(keys);
  if (known === null) return new Map();
  const rows = await tx
    .selectFrom('pages')
    .selectAll()
    .where(
      sql<boolean>`id = any(array(
        select open.id from jsonb_to_recordset(${known}::jsonb) as key(organization_id text, scope text, dedup_key text)
        cross join lateral (
          select p.id from pages p
          where p.organization_id = key.organization_id and p.dedup_scope = key.scope and p.dedup_key = key.dedup_key
            and p.state in ('notifying', 'acknowledged')
          offset 0
        ) open))`,
    )
    .where('dedup_key', 'is not', null)
    .where('state', 'in', ['notifying', 'acknowledged'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(
    rows.map((row) => [
      keyName({ organizationId: row.organization_id, scope: row.dedup_scope, dedupKey: row.dedup_key }) ?? '',
      pageRow(row),
    ]),
  );
}

/** Another open page with the dedup key of this one, and locks that key. Null if there is none. */
export async function openPageOfSameKey(tx: Tx, pageId: string): Promise<string | null> {
  const key = await tx
    .selectFrom('pages')
    .select(['organization_id as organizationId', 'dedup_scope as scope', 'dedup_key as dedupKey'])
    .where('id', '=', pageId)
    .executeTakeFirst();
  if (!key || key.dedupKey === null) return null;
  await lockKeys(tx, [key]);
  const row = await tx
    .selectFrom('pages')
    .select('id')
    .where('organization_id', '=', key.organizationId)
    .where('dedup_scope', '=', key.scope)
    .where('dedup_key', '=', key.dedupKey)
    .where('state', 'in', ['notifying', 'acknowledged'])
    .where('id', '<>', pageId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Records the sender's time of the event that resolved a page. */
export async function noteEnd(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('pages').set({ ended_event_at: at }).where('id', '=', pageId).execute();
}

/** The sender's time of the end of each key whose newest page its sender has resolved since, by `keyName`. */
export async function endedLately(
  db: Handle,
  keys: readonly PageKey[],
  since: Temporal.Instant,
): Promise<Map<string, Temporal.Instant>> {
  const newest = await pagesBefore(db, keys);
  if (newest.size === 0) return new Map();
  const rows = await db
    .selectFrom('pages')
    .select(['id', 'ended_event_at'])
    .where('id', 'in', [...newest.values()])
    .where('resolved_at', '>', since)
    .execute();
  const ends = new Map(rows.map((row) => [row.id, row.ended_event_at]));
  return new Map(
    [...newest].flatMap(([name, id]) => {
      const end = ends.get(id);
      return end ? [[name, end]] : [];
    }),
  );
}

/** The newest page of each key, by `keyName`. */
export async function pagesBefore(db: Handle, keys: readonly PageKey[]): Promise<Map<string, string>> {
  const known = keysAsJson(keys);
  if (known === null) return new Map();
  const { rows } = await sql<{ organizationId: string; scope: string; dedupKey: string; id: string }>`
    select key.organization_id as "organizationId", key.scope, key.dedup_key as "dedupKey", before.id
    from jsonb_to_recordset(${known}::jsonb) as key(organization_id text, scope text, dedup_key text)
    cross join lateral (
      select id from pages p
      where p.organization_id = key.organization_id and p.dedup_scope = key.scope and p.dedup_key = key.dedup_key
      order by id desc limit 1
    ) before`.execute(db);
  return new Map(rows.map(({ id, ...key }) => [keyName(key) ?? '', id]));
}

/** The keys whose newest page a person has resolved, by `keyName`. A source never reopens what a person decided. */
export async function resolvedByPeople(db: Handle, keys: readonly PageKey[]): Promise<Set<string>> {
  const newest = await pagesBefore(db, keys);
  if (newest.size === 0) return new Set();
  const rows = await db
    .selectFrom('pages')
    .select('id')
    .where('id', 'in', [...newest.values()])
    .where('state', '=', 'resolved')
    .where('resolved_by', 'is not', null)
    .execute();
  const resolved = new Set(rows.map(({ id }) => id));
  return new Set([...newest].flatMap(([name, id]) => (resolved.has(id) ? [name] : [])));
}

/** The newest trigger of each of these pages, as a signal that raises an equal page. */
export async function newestTriggers(tx: Tx, pageIds: readonly string[]): Promise<Trigger[]> {
  if (pageIds.length === 0) return [];
  const rows = await tx
    .selectFrom('pages')
    .select([
      'id',
      'organization_id',
      'dedup_scope',
      'dedup_key',
      'raised_by',
      'created_at',
      'last_trigger_at',
    ])
    .select(['team_id', 'user_id', 'title', 'text', 'source_url', 'urgency', 'facts'])
    .select(({ selectFrom }) =>
      selectFrom('page_events')
        .whereRef('page_id', '=', 'pages.id')
        .where('kind', '=', 'raised')
        .select(sql<ActingSource | null>`data -> 'source'`.as('source'))
        .orderBy('id', 'desc')
        .limit(1)
        .as('source'),
    )
    .where('id', 'in', [...pageIds])
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...{ organizationId: row.organization_id, scope: row.dedup_scope ?? '', dedupKey: row.dedup_key },
    ...{ source: row.source, userId: row.raised_by, receivedAt: row.last_trigger_at ?? row.created_at },
    action: 'trigger',
    reasons: [],
    page: {
      requestId: null,
      credential: row.source?.id ?? row.raised_by ?? '',
      recipient: row.team_id === null ? { userId: row.user_id ?? '' } : { teamId: row.team_id },
      ...{ stage: null, mayRepeat: true },
      ...{ title: row.title, text: row.text, sourceUrl: row.source_url },
      urgency: row.urgency,
      facts: row.facts as PageFacts | null,
    },
  }));
}

function keysAsJson(keys: readonly PageKey[]): string | null {
  const known = keys.filter(({ dedupKey }) => dedupKey !== null);
  if (known.length === 0) return null;
  return JSON.stringify(
    known.map(({ organizationId, scope, dedupKey }) => ({
      ...{ organization_id: organizationId, scope, dedup_key: dedupKey },
    })),
  );
}

export type NewKeyedPage = PageKey & {
  id: string;
  requestId: string;
  /** The request has to be written with the page. */
  ownRequest: boolean;
  credential: string;
  recipient: { teamId: string } | { userId: string };
  stage: number | null;
  /** People may have been notified of it before a failover of the database. */
  mayRepeat: boolean;
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  replyCode: string;
  source: ActingSource | null;
  receivedAt: Temporal.Instant;
  /** The person whose API key raised it. */
  userId: string | null;
  reasons: readonly string[];
  facts: PageFacts | null;
};

/** The keyed pages to write. */
export type KeyedPages = {
  at: Temporal.Instant;
  pages: readonly NewKeyedPage[];
  /** The previous page of each key, by `keyName`. */
  before: ReadonlyMap<string, string>;
  /** What the first steps of the pages did; null if workers run them. */
  steps: FirstSteps | null;
};

/** Writes pages with their first steps, events and requests. */
export async function insertKeyedPages(tx: Tx, { at, pages, before, steps }: KeyedPages): Promise<void> {
  const input = JSON.stringify(pages.map((page) => inputRow(page, before.get(keyName(page) ?? '') ?? null)));
  const raised = sql`
    select organization_id, id as page_id, ${at}::timestamptz as at, 'raised' as kind, raised_by as user_id, data, 0 as n from input`;
  const [status, attempts] = steps ? [sql`'processing'`, sql`1`] : [sql`'queued'`, sql`0`];
  const clauses = steps ? firstStepClauses(steps) : [];
  const statement = sql`
    with input as materialized (
      select * from jsonb_to_recordset(${input}::jsonb) as t(
        id text, organization_id text, request_id text, own_request boolean, credential text, kind text, team_id text,
        user_id text, stage numeric, title text, "text" text, source_url text, urgency text, reply_code text,
        source_id text, dedup_scope text, dedup_key text, raised_by text, previous text, may_repeat boolean,
        last_trigger_at timestamptz, facts jsonb, data jsonb)
    ), new_requests as (
      insert into requests (id, organization_id, kind, status, attempts, message, credential, created_at, updated_at)
      select request_id, organization_id, 'page.' || kind, ${status}, ${attempts}, 'The page has been queued.', credential, ${at}, ${at}
      from input where own_request
    ), new_pages as (
      insert into pages (id, organization_id, request_id, kind, team_id, user_id, title, text, source_url, urgency, state,
        reply_code, raised_by, created_at, source_id, dedup_scope, dedup_key, previous_page_id, last_trigger_at, facts)
      select id, organization_id, request_id, kind, team_id, user_id, title, "text", source_url, urgency, 'notifying',
        reply_code, raised_by, ${at}, source_id, dedup_scope, dedup_key, previous, last_trigger_at, facts
      from input
      returning *
    ), new_steps as (
      insert into page_steps (organization_id, page_id, round, kind, stage, due_at, state, done_at, may_repeat, turn_of, turn_rank)
      select organization_id, id, 1, case kind when 'team' then 'stage' else 'person' end, stage, ${at},
        ${sql.lit(steps ? 'done' : 'due')}, ${steps ? sql`${at}::timestamptz` : sql`null`}, may_repeat,
        ${turnColumns(sql`team_id`, sql`user_id`, sql`urgency`)}
      from input
    ), new_events as (
      insert into page_events (organization_id, page_id, at, kind, user_id, data)
      select organization_id, page_id, at, kind, user_id, data from (${followedBy(raised, steps?.events ?? null)}) events
    )${clauses.length > 0 ? sql`, ${sql.join(clauses)}` : sql``}
    insert into page_events (organization_id, page_id, at, kind, user_id, data)
    select organization_id, previous, ${at}, 'came_back', raised_by, jsonb_build_object('page_id', id)
    from input where previous is not null`;
  const attempted = steps ? pages.filter(({ ownRequest }) => !ownRequest) : [];
  const requests = attempted.map(({ requestId }) => requestId);
  await together(
    tx,
    [statement, ...processingRequests(requests, at)].map((one) => (side: Tx) => one.execute(side)),
  );
}

/** A page as `insertKeyedPages` writes it. */
export function newKeyedPage(page: NewKeyedPage, at: Temporal.Instant): PageRow {
  const { requestId, organizationId, dedupKey, receivedAt } = page;
  return {
    ...newPage({ requestId, organizationId, row: inputRow(page, null) }, at),
    lastTriggerAt: dedupKey === null ? null : receivedAt,
  };
}

function inputRow(page: NewKeyedPage, previous: string | null): Record<string, unknown> {
  const { source, reasons, recipient } = page;
  const toTeam = 'teamId' in recipient;
  return {
    id: page.id,
    organization_id: page.organizationId,
    request_id: page.requestId,
    own_request: page.ownRequest,
    credential: page.credential,
    kind: toTeam ? 'team' : 'person',
    team_id: toTeam ? recipient.teamId : null,
    user_id: toTeam ? null : recipient.userId,
    stage: toTeam ? page.stage : null,
    title: page.title,
    text: page.text,
    source_url: page.sourceUrl,
    urgency: page.urgency,
    reply_code: page.replyCode,
    source_id: source?.id ?? null,
    dedup_scope: page.dedupKey === null ? null : page.scope,
    dedup_key: page.dedupKey,
    raised_by: page.userId,
    may_repeat: page.mayRepeat,
    last_trigger_at: page.dedupKey === null ? null : page.receivedAt,
    previous,
    facts: page.facts,
    data: {
      ...(source ? { source } : {}),
      ...(reasons.length > 0 ? { reasons } : {}),
      ...(previous ? { previous_page_id: previous } : {}),
    },
  };
}

/** When the newest trigger of a page was received, and its content. */
export type NewestTrigger = { receivedAt: Temporal.Instant; facts: PageFacts | null };

/** Records the newest trigger of each page, unless the page has a newer one. */
export async function noteTriggers(tx: Tx, triggered: ReadonlyMap<string, NewestTrigger>): Promise<void> {
  if (triggered.size === 0) return;
  const input = JSON.stringify([...triggered].map(([id, { receivedAt: at, facts }]) => ({ id, at, facts })));
  await sql`
    update pages p set last_trigger_at = greatest(p.last_trigger_at, input.at),
      facts = case when p.last_trigger_at > input.at then p.facts else coalesce(input.facts, p.facts) end
    from jsonb_to_recordset(${input}::jsonb) as input(id text, at timestamptz, facts jsonb)
    where p.id = input.id`.execute(tx);
}

/** Events that changed nothing about a page. */
export type Repetition = {
  page: { id: string; organizationId: string };
  action: 'trigger' | 'acknowledge' | 'unacknowledge' | 'resolve';
  count: number;
  until: string;
  source: ActingSource | null;
};

/**
 * Adds repetitions to timelines. If the newest line of a timeline is such a line, it is updated. If there are already
 * `MOST_REPETITION_LINES`, the last one of its kind is, so that a sender cannot make a timeline grow without end.
 */
export async function addRepetitions(
  tx: Tx,
  at: Temporal.Instant,
  repetitions: readonly Repetition[],
): Promise<void> {
  if (repetitions.length === 0) return;
  const input = JSON.stringify(
    repetitions.map(({ page, action, count, until, source }) => ({
      ...{ page_id: page.id, organization_id: page.organizationId, action, count, until },
      data: { action, count, until, ...(source ? { source } : {}) },
    })),
  );
  await sql`
    with input as materialized (
      select i.*, line.id as line, coalesce(line.id = newest.id or lines.count >= ${MOST_REPETITION_LINES}, false) as counts_on
      from jsonb_to_recordset(${input}::jsonb)
        as i(page_id text, organization_id text, action text, count integer, until text, data jsonb)
      left join lateral (
        select id from page_events e
        where e.page_id = i.page_id and e.kind = 'repeated' and e.data ->> 'action' = i.action order by id desc limit 1
      ) line on true
      left join lateral (select max(id) as id from page_events e where e.page_id = i.page_id) newest on true
      left join lateral (
        select count(*) as count from page_events e where e.page_id = i.page_id and e.kind = 'repeated') lines on true
    ), counted as (
      update page_events e set data = e.data || jsonb_build_object('count', (e.data ->> 'count')::integer + i.count, 'until', i.until)
      from input i where i.counts_on and e.id = i.line
    )
    insert into page_events (organization_id, page_id, at, kind, data)
    select organization_id, page_id, ${at}, 'repeated', data from input where not counts_on`.execute(tx);
}

/** The effect of an event of a request, as the status of the request shows it. */
export type RequestOutcome = {
  requestId: string;
  organizationId: string;
  position: number;
  pageId: string | null;
  action: PageAction;
  reason: string | null;
};

/** Records the effects of the events of requests. An outcome with the same position replaces the previous one. */
export async function recordOutcomes(tx: Tx, outcomes: readonly RequestOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx
    .insertInto('request_pages')
    .values(
      outcomes.map(({ requestId, organizationId, position, pageId, action, reason }) => ({
        request_id: requestId,
        organization_id: organizationId,
        position,
        page_id: pageId,
        action,
        reason,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['request_id', 'position']).doUpdateSet((eb) => ({
        page_id: eb.ref('excluded.page_id'),
        action: eb.ref('excluded.action'),
        reason: eb.ref('excluded.reason'),
      })),
    )
    .execute();
}
