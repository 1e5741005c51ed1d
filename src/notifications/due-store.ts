import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { inIndexOrder } from '../db/in-index-order.ts';
import { type Rotation, shareRows, sharesOf, turnOrder } from '../db/turns.ts';
import { type PageRow, TURN_RANKS } from '../pages/store.ts';
import { CHANNELS, type ChannelName } from './channels/contract.ts';
import { type Lease, unbundle } from './store.ts';

/** A due delivery, locked until the end of the transaction. */
export type DueDelivery = {
  id: string;
  pageId: string;
  requestId: string;
  userId: string;
  channel: ChannelName;
  held: boolean;
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
    type: DueDelivery['type'];
    page_state: string;
    awaited: boolean;
    disabled: boolean;
  }>`
    select d.id, d.page_id, p.request_id, d.user_id, d.channel, d.held, d.type, p.state as page_state,
      ${awaitsSql('d.created_at')} as awaited,
      (select u.disabled_at is not null from users u where u.id = d.user_id) as disabled
    from ${from}`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    pageId: row.page_id,
    requestId: row.request_id,
    userId: row.user_id,
    channel: row.channel,
    held: row.held,
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
 * acknowledged. `p` is a row of `pages`.
 *
 * @param begunAt SQL for the time when the recipient's run started
 */
export function awaitsSql(begunAt: string): RawBuilder<boolean> {
  return sql.raw(`(p.state = 'notifying' or p.state = 'acknowledged' and ${begunAt} > p.acknowledged_at)`);
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
    select exists (
      select from responders r join pages p on p.id = r.page_id
      where r.id = ${responderId} and ${awaitsSql('r.started_at')}) as awaited`.execute(tx);
  return rows[0]?.awaited === true;
}
