import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { inIndexOrder, readInIndexOrder } from '../db/in-index-order.ts';
import { type Queue, type Rotation, type Share, shareRows, sharesOf, turnOrder } from '../db/turns.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import { LATE_AFTER_MS, type Late, MOST_LATE } from '../requests/pace.ts';
import type { SourceSettings } from '../sources/contract.ts';

/** The row that passes through the acceptor with its request: plain JSON, the body in base64. */
export type CallRow = {
  notification_id: string;
  webhook_id: string;
  integration: string;
  headers: Headers;
  body: string;
  /** A call of a page source. */
  pages: boolean;
};

/**
 * The tail of the acceptor's statement: inserts a queued call for every request that is written. `again`: they were
 * accepted before a failover of the database.
 */
export function queuedCalls(clock: Clock, again: boolean): RawBuilder<unknown> {
  // The clock of the machine that accepted it may be wrong; requests are written again within two minutes.
  const receivedAt = again
    ? sql`greatest(${clock.sql} - interval '2 minutes', least(${clock.sql},
        to_timestamp(("row"->>'accepted_ms')::double precision / 1000)))`
    : clock.sql;
  return sql`new_notifications as (
    insert into received_notifications (id, organization_id, webhook_id, request_id, integration, headers, body,
      state, due_at, received_at, pages, may_repeat)
    select "row"->>'notification_id', organization_id, "row"->>'webhook_id', request_id, "row"->>'integration',
      "row"->'headers', decode("row"->>'body', 'base64'), 'queued', ${receivedAt}, ${receivedAt}, ("row"->>'pages')::boolean, ${again}::boolean
    from winners)`;
}

export type RefusedCall = {
  id: string;
  organizationId: string;
  webhookId: string;
  integration: string;
  headers: Headers;
  /** The stored part of the body. */
  body: Buffer;
  /** The length of the whole body; null when `body` is all of it. */
  bodyBytes: number | null;
  reason: string;
  /** False when the sender failed authentication. */
  authentic: boolean;
};

/** Stores a call that was refused with an error. It has no request and creates no moment. */
export async function insertRefused(db: Handle, clock: Clock, refused: RefusedCall): Promise<void> {
  await db
    .insertInto('received_notifications')
    .values({
      id: refused.id,
      organization_id: refused.organizationId,
      webhook_id: refused.webhookId,
      request_id: null,
      integration: refused.integration,
      headers: JSON.stringify(refused.headers),
      body: refused.body,
      body_bytes: refused.bodyBytes,
      state: 'error',
      reason: refused.reason,
      authentic: refused.authentic,
      due_at: clock.sql,
      received_at: clock.sql,
      processed_at: clock.sql,
    })
    .execute();
}

/** Queues a call without a request: a test call, whose sender does not wait for an answer. */
export async function insertQueued(
  db: Handle,
  at: Temporal.Instant,
  call: Omit<RefusedCall, 'reason' | 'authentic' | 'bodyBytes'>,
): Promise<void> {
  await db
    .insertInto('received_notifications')
    .values({
      id: call.id,
      organization_id: call.organizationId,
      webhook_id: call.webhookId,
      request_id: null,
      integration: call.integration,
      headers: JSON.stringify(call.headers),
      body: call.body,
      state: 'queued',
      due_at: at,
      received_at: at,
    })
    .execute();
}

/** A call that this process holds until its lease ends. `attempts` includes the current one. */
export type ClaimedCall = {
  id: string;
  organizationId: string;
  teamId: string;
  webhookId: string;
  requestId: string | null;
  integration: string;
  headers: Headers;
  body: Buffer;
  settings: WebhookSettings;
  /** Null for a webhook that only records moments. */
  source: CallingSource | null;
  receivedAt: Temporal.Instant;
  attempts: number;
  /** It was accepted before a failover of the database, and people may have been notified of it. */
  mayRepeat: boolean;
};

/** The page source of a call. */
export type CallingSource = { name: string; type: string; settings: SourceSettings };

/** A `CallingSource` as JSON, of a webhook `w` and its page source `s`. */
export const CALLING_SOURCE: RawBuilder<CallingSource> = sql`jsonb_build_object('name', w.name, 'type', w.type,
  'settings', s.settings)`;

/** How often calls were attempted: never, once, or more often. */
export type Tried = 'never' | 'once' | 'often';

/** Which queued calls to claim. `pages`: only calls of page sources. */
export type Claim = {
  pages: boolean;
  tried: Tried;
  limit: number;
  maxBytes: number;
  leaseMs: number;
  /** The node that claims them; null while it is not registered. */
  node: number | null;
  /** Where the turns of the webhooks continue. */
  rotation: Rotation;
};

/**
 * Claims due calls: first the half that has been due longest, so that nothing waits for ever, and then, if more are
 * due, a share of each webhook in turn. The attempt is counted before any work, so that an attempt that crashes the
 * process counts as well. At least one call is claimed; more are added while all bodies before them are below
 * `maxBytes`. The result is sorted by time of receipt.
 */
export async function claimCalls(tx: Tx, at: Temporal.Instant, claim: Claim): Promise<ClaimedCall[]> {
  const { pages, tried, limit, maxBytes, rotation } = claim;
  const half = { limit: Math.ceil(limit / 2), maxBytes: Math.ceil(maxBytes / 2) };
  const attempts = { never: sql`q.attempts = 0`, once: sql`q.attempts = 1`, often: sql`q.attempts > 1` }[
    tried
  ];
  const claimable = sql`q.due_at <= ${at} and ${attempts}`;
  const oldest = await claimFrom(
    tx,
    at,
    { ...claim, maxBytes: half.maxBytes },
    sql`
    select q.id, octet_length(q.body) as bytes from received_notifications q
    where q.state = 'queued' and ${claimable} ${pages ? sql`and q.pages` : sql``}
    order by q.due_at, q.id limit ${half.limit} for no key update skip locked`,
  );
  const bytes = oldest.reduce((sum, { body }) => sum + body.length, 0);
  const full = oldest.length === half.limit || bytes >= half.maxBytes;
  if (!full || limit === half.limit || bytes >= maxBytes) return oldest.toSorted(byReceipt);
  const queue = queueOf(pages, claimable);
  const shares = await sharesOf(tx, queue, limit - half.limit, rotation);
  const inTurn = await claimShares(tx, at, { ...claim, maxBytes: maxBytes - bytes }, queue, shares);
  return [...oldest, ...inTurn].toSorted(byReceipt);
}

/**
 * Claims due calls of page sources that were never attempted: a share of each source in turn, except those in `except`.
 * The result is sorted by time of receipt.
 */
export async function claimCallsOfOthers(
  tx: Tx,
  at: Temporal.Instant,
  claim: Omit<Claim, 'pages' | 'tried'>,
  except: ReadonlySet<string>,
): Promise<ClaimedCall[]> {
  const queue = queueOf(true, sql`q.due_at <= ${at} and q.attempts = 0`);
  const shares = await sharesOf(tx, queue, claim.limit, claim.rotation);
  const others = shares.filter(({ turnOf }) => !except.has(turnOf));
  return (await claimShares(tx, at, claim, queue, others)).toSorted(byReceipt);
}

function queueOf(pages: boolean, claimable: RawBuilder<unknown>): Queue {
  return { ...QUEUE, waiting: sql`q.state = 'queued' and q.pages = ${sql.lit(pages)}`, claimable };
}

async function claimShares(
  tx: Tx,
  at: Temporal.Instant,
  claim: Pick<Claim, 'maxBytes' | 'leaseMs' | 'node'>,
  { waiting, claimable }: Queue,
  shares: readonly Share[],
): Promise<ClaimedCall[]> {
  if (shares.length === 0) return [];
  return claimFrom(
    tx,
    at,
    claim,
    sql`
    select one.id, one.bytes from ${shareRows(shares)} cross join lateral (
      select q.id, octet_length(q.body) as bytes from received_notifications q
      where ${waiting} and q.organization_id = share.organization_id and q.webhook_id = share.turn_of and ${claimable}
      order by ${turnOrder(QUEUE)} limit share.quota for no key update skip locked) one`,
  );
}

/** Whether any call is due, and whether one of a page source is. */
export async function anyCallDue(db: Handle, clock: Clock): Promise<{ any: boolean; pages: boolean }> {
  const due = sql`select from received_notifications where state = 'queued' and due_at <= ${clock.sql}`;
  const { rows } = await sql<{ any: boolean; pages: boolean }>`
    select exists (${due}) as any, exists (${due} and pages) as pages`.execute(db);
  return rows[0] ?? { any: false, pages: false };
}

/** Calls that no worker has claimed in time, by webhook, among the `MOST_LATE` longest overdue ones. */
export function lateCalls(db: Database, clock: Clock): Promise<Late[]> {
  const counted = sql<Late>`
    select organization_id as "organizationId", webhook_id as "turnOf", 0 as rank, count(*)::integer as rows
    from (
      select organization_id, webhook_id from received_notifications
      where state = 'queued' and attempts = 0 and due_at <= ${clock.sql} - ${LATE_AFTER_MS}::integer * interval '1 millisecond'
      order by due_at, id limit ${MOST_LATE}) late
    group by 1, 2`;
  return readInIndexOrder(db, counted);
}

const QUEUE = {
  table: 'received_notifications',
  turnOf: 'webhook_id',
  rank: null,
  index: 'received_notifications_in_turn',
} as const;

/** For a call `c`, its webhook `w` and its page source `s`. */
const CLAIMED_COLUMNS = sql`
  c.id, c.organization_id as "organizationId", w.team_id as "teamId", c.webhook_id as "webhookId",
  c.request_id as "requestId", c.integration, c.headers, c.body, w.settings, c.received_at as "receivedAt", c.attempts,
  c.may_repeat as "mayRepeat",
  case when w.pages then jsonb_build_object('name', w.name, 'type', w.type, 'settings', coalesce(s.settings, '{}')) end as source`;
const WITH_WEBHOOK = sql`join webhooks w on w.id = c.webhook_id left join page_sources s on s.id = c.webhook_id`;

/** These calls in the order of their receipt, whether or not they are processed. */
export async function readCalls(db: Handle, ids: readonly string[]): Promise<ClaimedCall[]> {
  const { rows } = await sql<ClaimedCall>`
    select ${CLAIMED_COLUMNS} from received_notifications c ${WITH_WEBHOOK} where c.id = any(${[...ids]}::text[])`.execute(
    db,
  );
  return rows.toSorted(byReceipt);
}

/** Deletes the headers and bodies of calls, and keeps the lengths of the bodies. */
export async function forgetBodies(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update received_notifications set body_bytes = coalesce(body_bytes, octet_length(body)), body = '', headers = '{}'
    where id = any(${[...ids]}::text[])`.execute(tx);
}

/** `due` selects the `id` and `bytes` of calls, locked, in the order in which they are claimed. */
async function claimFrom(
  tx: Tx,
  at: Temporal.Instant,
  { maxBytes, leaseMs, node }: Pick<Claim, 'maxBytes' | 'leaseMs' | 'node'>,
  due: RawBuilder<unknown>,
): Promise<ClaimedCall[]> {
  const claim = sql<ClaimedCall>`
    with due as (${due}), fitting as (
      select id, sum(bytes) over (rows unbounded preceding) - bytes as before from due
    ), claimed as (
      update received_notifications n set attempts = n.attempts + 1, due_at = ${at.add({ milliseconds: leaseMs })},
        claimed_by = ${node}
      from fitting where n.id = fitting.id and fitting.before < ${maxBytes}
      returning n.*
    )
    select ${CLAIMED_COLUMNS} from claimed c ${WITH_WEBHOOK}`;
  const { rows } = await inIndexOrder(tx, (side) => claim.execute(side));
  return rows;
}

/** The order in which calls were received. */
export function byReceipt(
  one: Pick<ClaimedCall, 'id' | 'receivedAt'>,
  other: Pick<ClaimedCall, 'id' | 'receivedAt'>,
): number {
  return Temporal.Instant.compare(one.receivedAt, other.receivedAt) || (one.id < other.id ? -1 : 1);
}

/** The limits for the earlier calls that a worker reads: their number, and the bytes of their bodies. */
const MOST_EARLIER = 500;
const MOST_EARLIER_BYTES = 4 * 1_024 * 1_024;

/**
 * Unprocessed calls that the same webhook received before the newest of these calls, that are not among these, and that
 * were tried at most once: another worker has claimed them, or is about to. A call that was tried more often delays
 * nothing, because it may crash the process. At most 500 calls, with 4 MiB. The webhooks with the fewest claimed calls
 * go first, and within a webhook the latest calls. `before`: calls that this worker finishes before it begins with
 * these.
 */
export async function earlierCalls(
  tx: Tx,
  claimed: readonly ClaimedCall[],
  before: readonly ClaimedCall[] = [],
): Promise<ClaimedCall[]> {
  const ours = [...claimed, ...before].map(({ id }) => id);
  const mostLookedAt = MOST_EARLIER + ours.length;
  const found = sql<ClaimedCall>`
    with looked_at as (
      select one.* from jsonb_to_recordset(${JSON.stringify(newestOfWebhooks(claimed))}::jsonb)
        as mine(id text, organization_id text, webhook_id text, pages boolean, at timestamptz)
      cross join lateral (
        select q.id, q.attempts, octet_length(q.body) as bytes from received_notifications q
        where q.state = 'queued' and q.pages = mine.pages and q.organization_id = mine.organization_id
          and q.webhook_id = mine.webhook_id and (q.received_at, q.id) < (mine.at, mine.id)
        order by q.received_at desc, q.id desc limit ${mostLookedAt}) one
      limit ${mostLookedAt}
    ), earlier as (
      select id, sum(bytes) over (rows unbounded preceding) as bytes from looked_at
      where attempts <= 1 and id <> all(${ours}::text[]) limit ${MOST_EARLIER}
    )
    select ${CLAIMED_COLUMNS} from earlier join received_notifications c on c.id = earlier.id ${WITH_WEBHOOK}
    where earlier.bytes <= ${MOST_EARLIER_BYTES}`;
  const { rows } = await inIndexOrder(tx, (side) => found.execute(side));
  return rows;
}

/** The newest call of each webhook, and first those of webhooks with the fewest calls. */
function newestOfWebhooks(calls: readonly ClaimedCall[]) {
  const ofWebhooks = Map.groupBy(calls.toSorted(byReceipt), ({ webhookId }) => webhookId);
  return [...ofWebhooks.values()]
    .sort((a, b) => a.length - b.length)
    .flatMap((its) => its.slice(-1))
    .map(({ id, organizationId, webhookId, source, receivedAt }) => {
      const webhook = { organization_id: organizationId, webhook_id: webhookId, pages: source !== null };
      return { id, ...webhook, at: receivedAt };
    });
}

/**
 * Locks those of the calls that are still queued, and returns their ids. With `attempts`, that attempt must still hold
 * them. With null, any worker may hold them for its first attempt.
 */
export async function lockClaimed(
  tx: Tx,
  claimed: readonly { id: string; attempts: number | null }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select n.id from received_notifications n
    join unnest(${claimed.map(({ id }) => id)}::text[], ${claimed.map(({ attempts }) => attempts)}::integer[])
      as mine(id, attempts) on mine.id = n.id
    where n.state = 'queued' and (mine.attempts = n.attempts or mine.attempts is null and n.attempts <= 1)
    order by n.id for no key update of n`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

export type CallEnding = {
  id: string;
  state: 'success' | 'error' | 'ignored';
  reason: string | null;
  /** False deletes headers and body, and keeps only the length of the body. */
  keep: boolean;
};

export async function finishCalls(
  tx: Tx,
  at: Temporal.Instant,
  endings: readonly CallEnding[],
): Promise<void> {
  await sql`
    update received_notifications n set state = ending.state, reason = ending.reason, processed_at = ${at},
      body_bytes = case when ending.keep then n.body_bytes else octet_length(n.body) end,
      body = case when ending.keep then n.body else '' end,
      headers = case when ending.keep then n.headers else '{}' end
    from jsonb_to_recordset(${JSON.stringify(endings)}::jsonb)
      as ending(id text, state text, reason text, keep boolean)
    where n.id = ending.id and n.state = 'queued'`.execute(tx);
}

/** Postpones calls to `dueAt`. Attempts beyond `countedAttempts` are not counted. */
export async function postponeCalls(
  tx: Tx,
  ids: readonly string[],
  dueAt: Temporal.Instant,
  countedAttempts: number,
): Promise<void> {
  await sql`
    update received_notifications set due_at = ${dueAt}, attempts = least(attempts, ${countedAttempts}::integer), claimed_by = null
    where id = any(${ids}) and state = 'queued'`.execute(tx);
}

/** A claimed call of a source that only ends or acknowledges something. */
export type EndingCall = Pick<ClaimedCall, 'id' | 'webhookId' | 'receivedAt'>;

/**
 * Those of these calls before which their source has other calls that are neither processed nor in `batch`, perhaps
 * because the node that claimed them is gone. Calls that were received before `since` no longer wait. Nothing waits for
 * calls that `returnCalls` has returned: they raise nothing, and queues of calls that wait for each other would hardly
 * move.
 */
export async function callsBehindOthers(
  tx: Tx,
  calls: readonly EndingCall[],
  { batch, since }: { batch: readonly string[]; since: Temporal.Instant },
): Promise<Set<string>> {
  if (calls.length === 0) return new Set();
  const input = JSON.stringify(
    calls.map(({ id, webhookId, receivedAt }) => ({ id, webhook_id: webhookId, at: receivedAt })),
  );
  const { rows } = await sql<{ id: string }>`
    select mine.id from jsonb_to_recordset(${input}::jsonb) as mine(id text, webhook_id text, at timestamptz)
    where mine.at > ${since} and exists (
      select from received_notifications n
      where n.state = 'queued' and n.pages and n.webhook_id = mine.webhook_id
        and (n.received_at, n.id) < (mine.at, mine.id) and n.id <> all(${batch}::text[])
        and (n.attempts > 0 or n.due_at = n.received_at))`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Returns claimed calls to the queue as if they had not been claimed. */
export async function returnCalls(tx: Tx, ids: readonly string[], dueAt: Temporal.Instant): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update received_notifications set due_at = ${dueAt}, attempts = greatest(attempts - 1, 0), claimed_by = null
    where id = any(${ids}) and state = 'queued'`.execute(tx);
}

/** Other nodes that claimed calls of page sources. */
export async function callOwners(db: Handle, node: number): Promise<number[]> {
  const { rows } = await sql<{ node: number }>`
    select distinct claimed_by as node from received_notifications
    where state = 'queued' and pages and claimed_by <> ${node}`.execute(db);
  return rows.map(({ node }) => node);
}

/** Makes the claimed calls of a dead node due, except those that another node is recording. Returns their number. */
export async function releaseCalls(tx: Tx, clock: Clock, owner: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update received_notifications set due_at = least(due_at, ${clock.sql}), claimed_by = null
    where id in (
      select id from received_notifications where state = 'queued' and pages and claimed_by = ${owner}
      for no key update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

type FailedCalls = { callId: string } | { webhookId: string } | { memberId: string | null };

/**
 * Queues failed calls of an organization again: one call, all of a webhook, or all of a person's teams; of every team if
 * the person is null. Calls of page sources go first again, as they did unless they were refused. Leaves out calls that failed authentication and refused calls whose body is not stored whole.
 * Returns how many were queued.
 */
export async function requeueFailed(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  which: FailedCalls,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update received_notifications set state = 'queued', reason = null, attempts = 0, due_at = ${at}, processed_at = null,
      pages = (select w.pages from webhooks w where w.id = webhook_id)
    where organization_id = ${organizationId} and state = 'error' and authentic and body_bytes is null
      and (request_id is not null or body <> '') ${chosenCalls(which)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

function chosenCalls(which: FailedCalls): RawBuilder<unknown> {
  if ('callId' in which) return sql`and id = ${which.callId}`;
  if ('webhookId' in which) return sql`and webhook_id = ${which.webhookId}`;
  if (which.memberId === null) return sql``;
  return sql`and webhook_id in (
    select w.id from webhooks w join team_members m on m.team_id = w.team_id and m.user_id = ${which.memberId})`;
}

/** Deletes processed calls older than `days`, at most `limit`. Returns how many were deleted. */
export async function forgetOldCalls(db: Handle, clock: Clock, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from received_notifications where id in (
      select id from received_notifications
      where state <> 'queued' and received_at < ${clock.sql} - ${days}::integer * interval '1 day'
      order by received_at limit ${limit} for update skip locked)
    returning id`.execute(db);
  return rows.length;
}

/** How many of the last calls of a webhook, up to `limit`, failed. Queued calls are left out. */
export async function failuresAmongLast(db: Handle, webhookId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ state: string }>`
    select state from received_notifications
    where webhook_id = ${webhookId} and state <> 'queued'
    order by id desc limit ${limit}`.execute(db);
  return rows.filter(({ state }) => state === 'error').length;
}

/** The first call with a given id of the sender's. */
export type FirstCall = {
  webhookId: string;
  senderCallId: string;
  callId: string;
  receivedAt: Temporal.Instant;
};

/** How long senders repeat a call; PagerDuty does so for 48 hours. */
const MEMORY = sql.lit('48 hours');

/**
 * Remembers calls by the sender's ids and returns the first call of each id: the one remembered within the last 48
 * hours, otherwise the first of those given. Concurrent workers wait for each other, and the later one finds the
 * earlier one's calls.
 */
export async function rememberCalls(
  tx: Tx,
  at: Temporal.Instant,
  calls: readonly FirstCall[],
): Promise<FirstCall[]> {
  const rows = sql`
    jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as given("webhookId" text collate "C",
      "senderCallId" text collate "C", "callId" text collate "C", "receivedAt" timestamptz)`;
  await sql`
    insert into webhook_deliveries as known (webhook_id, delivery_id, notification_id, received_at)
    select distinct on ("webhookId", "senderCallId") "webhookId", "senderCallId", "callId", "receivedAt"
    from ${rows} order by "webhookId", "senderCallId", "receivedAt", "callId"
    on conflict (webhook_id, delivery_id) do update
      set notification_id = excluded.notification_id, received_at = excluded.received_at
      where known.received_at <= ${at}::timestamptz - ${MEMORY}::interval`.execute(tx);
  const { rows: firsts } = await sql<FirstCall>`
    select distinct known.webhook_id as "webhookId", known.delivery_id as "senderCallId",
      known.notification_id as "callId", known.received_at as "receivedAt"
    from ${rows} join webhook_deliveries known
      on known.webhook_id = given."webhookId" and known.delivery_id = given."senderCallId"`.execute(tx);
  return firsts;
}

/** Deletes up to `limit` calls that senders no longer repeat. Returns how many were deleted. */
export async function forgetRememberedCalls(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_deliveries where (webhook_id, delivery_id) in (
      select webhook_id, delivery_id from webhook_deliveries
      where received_at <= ${clock.sql} - ${MEMORY}::interval
      order by received_at limit ${limit} for update skip locked)
    returning delivery_id as id`.execute(db);
  return rows.length;
}
