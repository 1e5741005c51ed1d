import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { inIndexOrder } from '../db/in-index-order.ts';
import { type Rotation, shareRows, sharesOf, turnOrder } from '../db/turns.ts';
import type { Recipient } from '../pages/escalation.ts';
import type { RecipientGroup, Unsent } from '../pages/notifier.ts';
import { addedSinceSql, type PageRow, TURN_RANKS, turnColumns } from '../pages/store.ts';
import { CHANNELS, type ChannelName } from './channels/contract.ts';
import type { RunDelivery } from './failover.ts';
import { type Recent, UNLIMITED, WINDOW_MS } from './limits.ts';

/** A person whom a step notifies of a page. */
export type Responder = { pageId: string } & Recipient;

/** A person whom a page has notified in its round, and whether they have not turned out to be unreachable. */
export type NotifiedBefore = Responder & { round: number; isReachable: boolean };

/** The people whom the pages of these groups have notified in their round. The caller has locked the pages. */
export async function notifiedBefore(tx: Tx, groups: readonly RecipientGroup[]): Promise<NotifiedBefore[]> {
  if (groups.length === 0) return [];
  const { rows } = await sql<NotifiedBefore>`
    select r.page_id as "pageId", r.user_id as "userId", r.kind, r.stage, r.round, r.why,
      r.unreachable_at is null as "isReachable"
    from jsonb_to_recordset(${JSON.stringify(groups.map(({ page: { id, round } }) => ({ id, round })))}::jsonb)
      as t(id text, round integer)
    join responders r on r.page_id = t.id and r.round = t.round`.execute(tx);
  return rows;
}

/**
 * Locks people until the end of the transaction, so that the rate limits hold when several workers send to one person at
 * the same time.
 */
export async function lockPeople(tx: Tx, userIds: readonly string[]): Promise<void> {
  await sql`select id from users where id = any(${userIds}::text[]) order by id for no key update`.execute(
    tx,
  );
}

/**
 * The notifications to these people within the window before `at`, by `recentName`, without those of `retried`: a failed
 * attempt does not delay its own retry. Times slightly after `at` come from other workers and count. Times long after it
 * are from before the clock was set back and do not count.
 */
export async function findRecent(
  tx: Tx,
  userIds: readonly string[],
  at: Temporal.Instant,
  retried: readonly string[],
): Promise<Map<string, Recent>> {
  const window = { milliseconds: WINDOW_MS };
  const { rows } = await sql<{
    user_id: string;
    channel: ChannelName;
    count: number;
    oldest: Temporal.Instant;
  }>`
    select user_id, channel, count(*) as count, min(sent_at) as oldest from deliveries
    where user_id = any(${userIds}::text[])
      and sent_at > ${at.subtract(window)} and sent_at < ${at.add(window)} and state in ('sending', 'accepted', 'delivered', 'retrying')
      and channel <> all(${UNLIMITED}::text[]) and id <> all(${retried}::text[])
    group by user_id, channel`.execute(tx);
  return new Map(
    rows.map((row) => [recentName(row.user_id, row.channel), { count: row.count, oldest: row.oldest }]),
  );
}

/** The name of a person and channel in maps. */
export function recentName(userId: string, channel: ChannelName): string {
  return `${userId} ${channel}`;
}

export type NewDelivery = {
  id: string;
  type: 'page.notification' | 'page.expired';
  methodId: string | null;
  channel: ChannelName;
  address: string;
  rule: number;
  dueAt: Temporal.Instant;
  held: boolean;
  /** It may have been sent before. */
  repeat: boolean;
  /** The node that sends it at once; null when it waits until it is due. */
  leaseOwner: number | null;
};

/** How long a node holds a delivery. Every call to a provider ends well before. */
export const LEASE_MS = 30_000;

export type Lease = { at: Temporal.Instant; until: Temporal.Instant };

/** What one person gets about one page. A person without deliveries cannot be reached. */
export type NewRun = {
  responder: Responder;
  organizationId: string;
  round: number;
  deliveries: NewDelivery[];
};

/**
 * The statement that begins runs and inserts their deliveries; none for no runs. Deliveries that are sent at once are leased, and
 * their first attempt is started, in the same commit. It fails if the same step has notified one of the people before.
 */
export function startingRuns(runs: readonly NewRun[], lease: Lease): RawBuilder<unknown>[] {
  return runs.length === 0 ? [] : [sql`with ${startingRunsTail(runs, lease, null)} select`];
}

/**
 * The same as `with` clauses of a larger statement. `newPages`: the clause of that statement that inserts the pages and returns their
 * rows, without which a run does not begin; null for pages that exist.
 */
export function startingRunsTail(
  runs: readonly NewRun[],
  lease: Lease,
  newPages: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  const rows = runs.map(({ responder, organizationId, round, deliveries }, index) => ({
    ...{ n: index + 1, ...ofRun({ organizationId, responder }), round },
    ...{ kind: responder.kind, stage: responder.stage, why: responder.why, reachable: deliveries.length > 0 },
  }));
  const deliveries = runs.flatMap((run, index) =>
    run.deliveries.map((delivery) => ({ n: index + 1, ...ofRun(run), ...deliveryRow(delivery) })),
  );
  // The numbers of the runs are drawn first, because a join of both inputs would compare every row with every other.
  return sql`
    drawn as materialized (
      select array_agg(nextval('responders_id_seq')) as ids from generate_series(1, ${runs.length}::integer)
    ), started as (
      insert into responders (id, organization_id, page_id, user_id, round, kind, stage, why, started_at, unreachable_at)
      overriding system value
      select drawn.ids[t.n], organization_id, page_id, user_id, round, kind, stage, why, ${lease.at}::timestamptz,
        case when not reachable then ${lease.at}::timestamptz end
      from drawn, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(n integer, organization_id text, page_id text,
        user_id text, round integer, kind text, stage numeric, why jsonb, reachable boolean)
        ${newPages ? sql`where t.page_id in (select id from ${newPages})` : sql``}
    ), ${insertingInput(
      sql`select drawn.ids[d.n] as responder_id, d.* from drawn,
        jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as d(n integer, ${DELIVERY_COLUMNS})`,
      lease,
      newPages,
    )}`;
}

type OfRun = { organizationId: string; responder: Pick<Responder, 'pageId' | 'userId'> };

function ofRun({ organizationId, responder }: OfRun): Record<string, string> {
  return { organization_id: organizationId, page_id: responder.pageId, user_id: responder.userId };
}

/** Inserts deliveries of a run that has begun. */
export async function insertDeliveries(
  tx: Tx,
  run: OfRun & { responderId: number },
  deliveries: readonly NewDelivery[],
  lease: Lease,
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...ofRun(run), ...deliveryRow(delivery) }));
  await sql`with ${insertingInput(
    sql`select ${run.responderId}::bigint as responder_id, d.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(${DELIVERY_COLUMNS})`,
    lease,
    null,
  )} select`.execute(tx);
}

const DELIVERY_COLUMNS = sql`organization_id text, page_id text, user_id text, id text, type text, contact_method_id text,
  channel text, address text, rule integer, due_at timestamptz, held boolean, repeat boolean, lease_owner integer`;

/** The `with` clauses that insert deliveries and attempts. `input` selects the deliveries with their run. */
function insertingInput(
  input: RawBuilder<unknown>,
  lease: Lease,
  newPages: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  return sql`new_deliveries as materialized (${input}), inserted as (
      insert into deliveries (id, organization_id, page_id, responder_id, user_id, contact_method_id, type, channel, address,
        rule, state, due_at, held, repeat, attempts, lease_owner, lease_until, sent_at, created_at, turn_of, turn_rank)
      select i.id, i.organization_id, page_id, responder_id, i.user_id, contact_method_id, type, channel, address,
        rule, case when lease_owner is null then 'waiting' else 'sending' end, due_at, held, repeat,
        case when lease_owner is null then 0 else 1 end, lease_owner,
        case when lease_owner is null then null else ${lease.until}::timestamptz end,
        case when lease_owner is null then null else ${lease.at}::timestamptz end, ${lease.at}::timestamptz,
        ${turnColumns(sql`p.team_id`, sql`p.user_id`, sql`p.urgency`)}
      from new_deliveries i join ${newPages ?? sql`pages`} p on p.id = i.page_id
      returning id, organization_id, lease_owner
    ), new_attempts as (
      insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at)
      select id, 1, organization_id, lease_owner, ${lease.at}::timestamptz from inserted where lease_owner is not null
    )`;
}

function deliveryRow(delivery: NewDelivery): Record<string, unknown> {
  return {
    id: delivery.id,
    type: delivery.type,
    contact_method_id: delivery.methodId,
    channel: delivery.channel,
    address: delivery.address,
    rule: delivery.rule,
    due_at: delivery.dueAt.toString(),
    held: delivery.held,
    repeat: delivery.repeat,
    lease_owner: delivery.leaseOwner,
  };
}

export async function markUnreachable(tx: Tx, responderId: number, at: Temporal.Instant): Promise<void> {
  await sql`update responders set unreachable_at = ${at} where id = ${responderId} and unreachable_at is null`.execute(
    tx,
  );
}

/** Cancels the deliveries of a page that were not started. */
export async function cancelDeliveries(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  { userId, dueAfter }: Unsent = {},
): Promise<void> {
  const cancelled = await tx
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: at })
    .where('page_id', '=', pageId)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .$if(dueAfter !== undefined, (query) => query.where('due_at', '>', dueAfter ?? at))
    .where('type', '=', 'page.notification')
    .where('state', 'in', ['waiting', 'retrying'])
    .returning('id')
    .execute();
  await unbundle(
    tx,
    cancelled.map(({ id }) => id),
    at,
  );
}

/**
 * Restores deliveries that were cancelled at `since` or later. Each is due at its original time, or now if that has passed.
 * People who were disabled meanwhile get nothing.
 */
export async function resumeDeliveries(
  tx: Tx,
  pageId: string,
  since: Temporal.Instant,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update deliveries d set state = 'waiting', finished_at = null, due_at = greatest(due_at, ${at})
    where page_id = ${pageId} and type = 'page.notification' and state = 'cancelled' and finished_at >= ${since}
      and not exists (select from users u where u.id = d.user_id and u.disabled_at is not null)`.execute(tx);
}

/**
 * Sends deliveries separately if the message that should carry them will not be sent; their pages may still be open.
 */
export async function unbundle(tx: Tx, carriers: readonly string[], at: Temporal.Instant): Promise<void> {
  if (carriers.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', held: true, due_at: at, bundled_into: null, finished_at: null })
    .where(sql<boolean>`bundled_into = any(${[...carriers]}::text[])`)
    .where('state', '=', 'bundled')
    .execute();
}

/** The runs of a page with notifications that failed at `since` or later. */
export async function findFailed(
  tx: Tx,
  pageId: string,
  since: Temporal.Instant,
): Promise<{ responderId: number; userId: string; type: 'page.notification' }[]> {
  const { rows } = await sql<{ responderId: number; userId: string; type: 'page.notification' }>`
    select distinct responder_id as "responderId", user_id as "userId", type from deliveries
    where page_id = ${pageId} and type = 'page.notification' and state = 'failed' and finished_at >= ${since}
    order by responder_id`.execute(tx);
  return rows;
}

/**
 * The deliveries of one run, in any state and order. One that was bundled into a message that failed for now is `retrying` with
 * that message.
 */
export async function findRun(
  tx: Tx,
  responderId: number,
): Promise<(RunDelivery & { methodId: string | null })[]> {
  const rows = await tx
    .selectFrom('deliveries as d')
    .leftJoin('deliveries as carrier', 'carrier.id', 'd.bundled_into')
    .select(['d.id', 'd.channel', 'd.rule', 'd.state', 'd.due_at', 'd.held', 'd.contact_method_id'])
    .select('carrier.state as carrierState')
    .where('d.responder_id', '=', responderId)
    .execute();
  return rows.map(({ due_at: dueAt, contact_method_id: methodId, carrierState, ...row }) => ({
    ...row,
    state: row.state === 'bundled' && carrierState === 'retrying' ? carrierState : row.state,
    dueAt,
    methodId,
  }));
}

export async function hastenDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: at })
    .where(sql<boolean>`id = any(${[...deliveryIds]}::text[])`)
    .where('state', '=', 'waiting')
    .execute();
}

export type HeldPage = { pageId: string; userId: string; name: string };

/** How long after a person is disabled their pages are still searched. Longer than any node is away. */
const LOOKED_FOR = { hours: 24 };

/**
 * Open pages that wait for disabled people: people who were notified and could still answer, have future deliveries, or
 * acknowledged the page.
 */
export async function pagesOfDisabledPeople(
  db: Handle,
  at: Temporal.Instant,
  limit: number,
): Promise<HeldPage[]> {
  const { rows } = await sql<HeldPage>`
    with gone as materialized (
      select id, organization_id, name from users where disabled_at > ${at.subtract(LOOKED_FOR)}
    )
    select p.id as "pageId", u.id as "userId", u.name
    from gone u cross join lateral (
      select * from pages where organization_id = u.organization_id and state in ('notifying', 'acknowledged') offset 0
    ) p
    where (
      p.state = 'notifying' and exists (select from responders r
        where r.page_id = p.id and r.user_id = u.id and r.unreachable_at is null)
      or p.state = 'acknowledged' and p.acknowledged_by = u.id
        and (p.remind_at is null or p.remind_at > ${at}))
    order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Cancels the unsent deliveries of a page to one person, and returns their number. */
export async function cancelDeliveriesTo(
  tx: Tx,
  { pageId, userId, name }: HeldPage,
  at: Temporal.Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: at, error: `${name} was disabled.` })
    .where('page_id', '=', pageId)
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'retrying'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks one person of a page as unreachable, and returns the runs that this ends. */
export async function endRunsOf(
  tx: Tx,
  { pageId, userId }: HeldPage,
  at: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx
    .updateTable('responders')
    .set({ unreachable_at: at })
    .where('page_id', '=', pageId)
    .where('user_id', '=', userId)
    .where('unreachable_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a person is disabled; false for unknown ids. */
export async function isDisabled(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** A due delivery, locked until the end of the transaction. */
export type DueDelivery = {
  id: string;
  pageId: string;
  requestId: string;
  userId: string;
  channel: ChannelName;
  held: boolean;
  /** An earlier attempt may have been delivered. */
  repeat: boolean;
  type: 'page.notification' | 'page.expired';
  /** False if the page no longer waits or the person was disabled; the delivery is then cancelled. */
  wanted: boolean;
};

/** Which due deliveries to take. Turns continue where `rotation` says. */
export type DeliveryClaim = {
  limit: number;
  dashboardsOnly: boolean;
  except?: readonly ChannelName[];
  rotation: Rotation;
};

/**
 * Takes due deliveries: first the half that has waited longest, so that nothing waits for ever, and then, if more are
 * due, a share of each team in turn. Only the node with a dashboard's connection can reach it. When the dashboard is
 * closed, any node may fail the delivery, so that the next channel starts.
 */
export async function takeDueDeliveries(
  tx: Tx,
  clock: Clock,
  node: number,
  which: DeliveryClaim,
): Promise<DueDelivery[]> {
  const half = Math.ceil(which.limit / 2);
  const oldest = await inIndexOrder(tx, (side) =>
    take(
      side,
      sql`deliveries d join pages p on p.id = d.page_id where d.state in ('waiting', 'retrying')
        and ${claimable('d', clock, node, which)} order by d.due_at limit ${half} for no key update of d skip locked`,
    ),
  );
  if (oldest.length < half || which.limit === half) return oldest;
  const taken = oldest.map(({ id }) => id);
  const untaken = sql`${claimable('q', clock, node, which)} and q.id <> all(${taken}::text[])`;
  const shares = await sharesOf(tx, { ...QUEUE, claimable: untaken }, which.limit - half, which.rotation);
  if (shares.length === 0) return oldest;
  const inTurn = await inIndexOrder(tx, (side) =>
    take(
      side,
      sql`${shareRows(shares)} cross join lateral (
          select q.* from deliveries q
          where ${QUEUE.waiting} and q.organization_id = share.organization_id
            and q.turn_of = share.turn_of and q.turn_rank = share.turn_rank and ${untaken}
          order by ${turnOrder(QUEUE)} limit share.quota for no key update skip locked) d
        join pages p on p.id = d.page_id`,
    ),
  );
  return [...oldest, ...inTurn];
}

const QUEUE = {
  table: 'deliveries',
  turnOf: 'turn_of',
  rank: { column: 'turn_rank', values: TURN_RANKS },
  index: 'deliveries_in_turn',
  waiting: sql`q.state in ('waiting', 'retrying')`,
} as const;

/** Whether this node may take a waiting row. */
function claimable(
  row: 'q' | 'd',
  clock: Clock,
  node: number,
  { dashboardsOnly, except }: DeliveryClaim,
): RawBuilder<unknown> {
  const [dueAt, channel, userId] = [
    sql.ref(`${row}.due_at`),
    sql.ref(`${row}.channel`),
    sql.ref(`${row}.user_id`),
  ];
  const channels = dashboardsOnly
    ? sql`and ${channel} = 'browser'`
    : // Rows that a newer release wrote for a channel of its own are left to nodes of that release.
      sql`and ${channel} = any(${CHANNELS.filter((one) => !except?.includes(one))}::text[])`;
  return sql`${dueAt} <= ${clock.sql}
    and (${channel} <> 'browser' or not exists (select from open_dashboards o where o.user_id = ${userId})
      or exists (select from open_dashboards o where o.user_id = ${userId} and o.node = ${node})) ${channels}`;
}

/** `from` names the rows, with `d` for the delivery and `p` for its page. */
async function take(tx: Tx, from: RawBuilder<unknown>): Promise<DueDelivery[]> {
  const { rows } = await sql<{
    id: string;
    page_id: string;
    request_id: string;
    user_id: string;
    channel: ChannelName;
    held: boolean;
    repeat: boolean;
    type: DueDelivery['type'];
    page_state: string;
    awaited: boolean;
    disabled: boolean;
  }>`
    select d.id, d.page_id, p.request_id, d.user_id, d.channel, d.held, d.repeat, d.type, p.state as page_state,
      ${awaitsSql(sql`d.responder_id`)} as awaited,
      (select u.disabled_at is not null from users u where u.id = d.user_id) as disabled
    from ${from}`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    pageId: row.page_id,
    requestId: row.request_id,
    userId: row.user_id,
    channel: row.channel,
    held: row.held,
    repeat: row.repeat,
    type: row.type,
    wanted: !row.disabled && (row.type === 'page.expired' ? row.page_state === 'expired' : row.awaited),
  }));
}

/** Other held deliveries of the same person and channel, which are bundled into the first. */
export async function takeHeld(
  tx: Tx,
  userId: string,
  channel: ChannelName,
): Promise<{ id: string; pageId: string }[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'page_id'])
    .where('user_id', '=', userId)
    .where('channel', '=', channel)
    .where('held', '=', true)
    .where('state', '=', 'waiting')
    .orderBy('id', 'desc')
    .limit(1_000)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return rows.map((row) => ({ id: row.id, pageId: row.page_id }));
}

export async function bundleInto(
  tx: Tx,
  carrier: string,
  deliveryIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set({ state: 'bundled', bundled_into: carrier, finished_at: at })
    .where(sql<boolean>`id = any(${[...deliveryIds]}::text[])`)
    .execute();
}

export async function holdDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
  until: Temporal.Instant,
): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set({ held: true, due_at: until, state: 'waiting' })
    .where(sql<boolean>`id = any(${[...deliveryIds]}::text[])`)
    .execute();
}

export async function cancelThese(
  tx: Tx,
  deliveryIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: at })
    .where(sql<boolean>`id = any(${[...deliveryIds]}::text[])`)
    .execute();
  await unbundle(tx, deliveryIds, at);
}

/** Leases deliveries to a node and starts their next attempt. */
export async function beginAttempts(
  tx: Tx,
  deliveryIds: readonly string[],
  node: number,
  lease: Lease,
): Promise<void> {
  if (deliveryIds.length === 0) return;
  await sql`
    with begun as (
      update deliveries set state = 'sending', attempts = attempts + 1, lease_owner = ${node}, lease_until = ${lease.until},
        sent_at = ${lease.at}
      where id = any(${deliveryIds}::text[])
      returning id, organization_id, attempts
    )
    insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at)
    select id, attempts, organization_id, ${node}, ${lease.at}::timestamptz from begun`.execute(tx);
}

/**
 * Whether a page still waits for one of its recipients: while it notifies, or when the recipient was added after it was
 * acknowledged and has not answered. `p` is a row of `pages`.
 *
 * @param responderId SQL for the number of the recipient's run
 */
export function awaitsSql(responderId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(p.state = 'notifying' or p.state = 'acknowledged'
    and exists (select from responders r where r.id = ${responderId} and ${addedSinceSql()}))`;
}

/** Whether a page, which is locked, still waits for a delivery to a recipient. An expired page waits for the notifications of its expiry. */
export async function awaits(
  tx: Tx,
  page: PageRow,
  { responderId, type }: { responderId: number; type: DueDelivery['type'] },
): Promise<boolean> {
  if (type === 'page.expired') return page.state === 'expired';
  if (page.state !== 'acknowledged') return page.state === 'notifying';
  const { rows } = await sql<{ awaited: boolean }>`
    select ${awaitsSql(sql`${responderId}`)} as awaited from pages p where p.id = ${page.id}`.execute(tx);
  return rows[0]?.awaited === true;
}
