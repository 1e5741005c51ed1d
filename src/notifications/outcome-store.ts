import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { firstIdAt } from '../kit/typeid.ts';
import type { Language } from '../language/contract.ts';
import { languageOf } from '../people/store.ts';
import { requestsSucceeded } from '../requests/store.ts';
import type { ChannelName } from './channels/channel.ts';
import { awaitsSql, LEASE_MS } from './store.ts';

/** The content and address of a delivery, read when it is sent. */
export type Outgoing = {
  deliveryId: string;
  attempt: number;
  /** The node with the lease. It may record the outcome even if it has registered again since. */
  node: number;
  organizationId: string;
  pageId: string;
  requestId: string;
  responderId: number;
  userId: string;
  /** The language of the person. */
  language: Language;
  /** Null for dashboards, and for a contact method that was removed, changed or is no longer verified. */
  methodId: string | null;
  channel: ChannelName;
  type: 'page.notification' | 'page.expired';
  address: string;
  chatUserId: string | null;
  pushKeys: { p256dh: string; auth: string } | null;
  signingSecret: Buffer | null;
  title: string;
  text: string;
  urgency: 'low' | 'medium' | 'high';
  sourceUrl: string | null;
  team: { name: string; slug: string } | null;
  stage: number | null;
  round: number;
  repeat: boolean;
  replyCode: string;
  /** The turn in which it is sent: the id of the page's team or person, and the rank within the turn. */
  turnOf: string;
  turnRank: number;
  /** The other pages that the message covers, each once. */
  bundled: { pageId: string; title: string }[];
  /** False if neither its page nor a page bundled into it still waits, or if the person was disabled. */
  wanted: boolean;
  now: Temporal.Instant;
};

/** A delivery as `outgoingOf` reads it. */
export type OutgoingRow = Omit<Outgoing, 'team'> & { teamName: string | null; teamSlug: string | null };

/**
 * Reads deliveries: with a `node`, only those that it has leased; with null, in any state, as for a phone call whose text the
 * provider fetches.
 */
export async function findOutgoing(
  db: Handle,
  clock: Clock,
  deliveryIds: readonly string[],
  node: number | null,
): Promise<Outgoing[]> {
  const { rows } = await outgoingOf(clock, deliveryIds, node).execute(db);
  return rows.map(readOutgoing);
}

/** The same as a query, whose rows `readOutgoing` reads. */
export function outgoingOf(
  clock: Clock,
  deliveryIds: readonly string[],
  node: number | null,
): RawBuilder<OutgoingRow> {
  return sql<OutgoingRow>`
    select d.id as "deliveryId", d.attempts as attempt, coalesce(d.lease_owner, 0) as node, d.organization_id as "organizationId", d.page_id as "pageId",
      p.request_id as "requestId", d.responder_id as "responderId", d.user_id as "userId", ${languageOf('u')} as language, m.id as "methodId", d.channel, d.type, d.address,
      m.chat_user_id as "chatUserId", m.push_keys as "pushKeys", m.signing_secret as "signingSecret",
      p.title, p.text, p.urgency, p.source_url as "sourceUrl", t.name as "teamName", t.slug as "teamSlug",
      (case d.type when 'page.expired' then p.state = 'expired' else ${awaitsSql(sql`d.responder_id`)} end
        or exists (select from deliveries b where b.bundled_into = d.id)) and u.disabled_at is null as wanted,
      r.stage, r.round, d.repeat, p.reply_code as "replyCode", d.turn_of as "turnOf", d.turn_rank as "turnRank", ${clock.sql} as now,
      coalesce((select jsonb_agg(jsonb_build_object('pageId', b.page_id, 'title', bp.title) order by b.id desc)
        from (select page_id, max(id) as id from deliveries where bundled_into = d.id and page_id <> d.page_id group by page_id) b
        join pages bp on bp.id = b.page_id), '[]') as bundled
    from deliveries d
    join pages p on p.id = d.page_id
    join users u on u.id = d.user_id
    join responders r on r.id = d.responder_id
    left join teams t on t.id = p.team_id
    left join contact_methods m on m.id = d.contact_method_id and m.value = d.address and m.verified_at is not null
    where d.id = any(${deliveryIds}::text[]) and (${node}::integer is null or (d.state = 'sending' and d.lease_owner = ${node}))`;
}

/** A row of `outgoingOf` as a delivery. */
export function readOutgoing({ teamName, teamSlug, ...row }: OutgoingRow): Outgoing {
  return {
    ...row,
    team: teamName === null || teamSlug === null ? null : { name: teamName, slug: teamSlug },
  };
}

/** Whether the receipt of a delivery reports that the message of an earlier attempt failed. */
const FAILED_BEFORE = sql`d.receipt in ('failed', 'undelivered') and d.provider_id <> i.provider_id`;

export type Held = { deliveryId: string; attempt: number; node: number };

/**
 * Records the acceptance of many deliveries in one commit. Returns those whose lease was still valid, and whether a receipt
 * that arrived earlier reports that the delivery failed. One of another message is dropped: an earlier attempt sent that,
 * although its answer was lost. Deliveries with a lost lease are ignored.
 */
export async function recordAccepted(
  db: Handle,
  clock: Clock,
  accepted: readonly (Held & { providerId: string | null })[],
): Promise<Map<string, { undelivered: boolean }>> {
  const input = JSON.stringify(
    accepted.map(({ deliveryId, attempt, node, providerId }) => ({
      id: deliveryId,
      attempt,
      node,
      provider_id: providerId,
    })),
  );
  const { rows } = await sql<{ id: string; undelivered: boolean }>`
    with input as (
      select * from jsonb_to_recordset(${input}::jsonb) as t(id text, attempt integer, node integer, provider_id text)
    ), changed as (
      update deliveries d set state = 'accepted', accepted_at = ${clock.sql}, provider_id = i.provider_id, error = null,
        receipt = case when ${FAILED_BEFORE} then null else d.receipt end, lease_owner = null, lease_until = null
      from input i where d.id = i.id and d.state = 'sending' and d.lease_owner = i.node and d.attempts = i.attempt
      returning d.id, d.page_id, coalesce(d.receipt in ('failed', 'undelivered'), false) as undelivered
    ), carried as (
      select page_id from changed
      union select b.page_id from deliveries b join changed c on b.bundled_into = c.id
    ), ended as (
      update delivery_attempts a set ended_at = ${clock.sql}, outcome = 'accepted', provider_id = i.provider_id
      from input i where a.delivery_id = i.id and a.attempt = i.attempt and a.ended_at is null
        and a.delivery_id = any(array(select id from input))
    ), finished as (
      ${requestsSucceeded(
        clock.sql,
        sql`array(select p.request_id from pages p join carried c on c.page_id = p.id where p.state <> 'expired')`,
      )}
    )
    select id, undelivered from changed`.execute(db);
  return new Map(rows.map(({ id, undelivered }) => [id, { undelivered }]));
}

/** Records an attempt that was not accepted. Returns false and changes nothing when the lease was lost. */
export async function recordFailure(
  tx: Tx,
  held: Held,
  failure: {
    state: 'retrying' | 'failed' | 'cancelled';
    error: string;
    outcome: 'retry' | 'refused';
    repeat: boolean;
    dueAt: Temporal.Instant | null;
  },
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      state: failure.state,
      error: failure.error,
      failures: eb('failures', '+', 1),
      repeat: sql<boolean>`repeat or ${failure.repeat}`,
      due_at: failure.dueAt ?? sql<Temporal.Instant>`due_at`,
      finished_at: failure.state === 'retrying' ? null : at,
      lease_owner: null,
      lease_until: null,
    }))
    .where('id', '=', held.deliveryId)
    .where('state', '=', 'sending')
    .where('lease_owner', '=', held.node)
    .where('attempts', '=', held.attempt)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .updateTable('delivery_attempts')
    .set({ ended_at: at, outcome: failure.outcome, error: failure.error })
    .where('delivery_id', '=', held.deliveryId)
    .where('attempt', '=', held.attempt)
    .execute();
  return true;
}

/** How often a delivery has failed; 0 if there is none. */
export async function failureCount(tx: Tx, deliveryId: string): Promise<number> {
  const row = await tx
    .selectFrom('deliveries')
    .select('failures')
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  return row?.failures ?? 0;
}

/** A delivery that was bundled into another one. */
type Bundled = Pick<Outgoing, 'responderId' | 'pageId' | 'type'>;

/** The deliveries that are bundled into one. */
export async function findBundled(tx: Tx, carrier: string): Promise<Bundled[]> {
  return tx
    .selectFrom('deliveries')
    .select(['responder_id as responderId', 'page_id as pageId', 'type'])
    .where('bundled_into', '=', carrier)
    .where('state', '=', 'bundled')
    .orderBy('id')
    .execute();
}

/** Fails the deliveries that were bundled into one that failed. */
export async function failBundled(
  tx: Tx,
  carrier: string,
  error: string,
  at: Temporal.Instant,
): Promise<Bundled[]> {
  return tx
    .updateTable('deliveries')
    .set({ state: 'failed', error, finished_at: at })
    .where('bundled_into', '=', carrier)
    .where('state', '=', 'bundled')
    .returning(['responder_id as responderId', 'page_id as pageId', 'type'])
    .execute();
}

/** Other nodes with leases. */
export async function leaseOwners(db: Handle, node: number): Promise<number[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('lease_owner')
    .distinct()
    .where('state', '=', 'sending')
    .where('lease_owner', '<>', node)
    .execute();
  return rows.flatMap((row) => (row.lease_owner === null ? [] : [row.lease_owner]));
}

/**
 * Releases deliveries of a dead node or, with `owner` null, those whose lease expired. They may already have been sent,
 * so they are sent again, marked as possible repeats.
 */
export function releaseLeases(tx: Tx, clock: Clock, owner: number | null): Promise<number> {
  const which = owner === null ? sql`lease_until < ${clock.sql}` : sql`lease_owner = ${owner}`;
  return release(tx, clock, which, 'the node that sent it died before it could record the outcome');
}

/**
 * Releases deliveries that this node leased at least `olderThanMs` ago but is not sending: the lease was committed, but the
 * connection was lost before this node learned of it. Returns their number.
 */
export function releaseForgotten(
  db: Handle,
  clock: Clock,
  node: number,
  inHand: readonly string[],
  olderThanMs: number,
): Promise<number> {
  const latest = sql`${clock.sql} + ${LEASE_MS - olderThanMs}::double precision * interval '1 millisecond'`;
  const which = sql`lease_owner = ${node} and lease_until < ${latest} and id <> all(${inHand}::text[])`;
  return release(db, clock, which, 'the node that leased it lost its connection to the database');
}

async function release(db: Handle, clock: Clock, which: RawBuilder<unknown>, why: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      select id, attempts from deliveries where state = 'sending' and ${which} for no key update skip locked
    ), ended as (
      update delivery_attempts a set ended_at = ${clock.sql}, outcome = 'unknown', error = ${why}
      from lost where a.delivery_id = lost.id and a.attempt = lost.attempts and a.ended_at is null
    )
    update deliveries d set state = 'waiting', repeat = true, due_at = ${clock.sql}, lease_owner = null, lease_until = null
    from lost where d.id = lost.id returning d.id`.execute(db);
  return rows.length;
}

/** Releases deliveries that this node leased but never started. They are not marked as repeats. */
export async function returnUnsent(db: Handle, clock: Clock, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return;
  const input = JSON.stringify(
    held.map(({ deliveryId, attempt, node }) => ({ id: deliveryId, attempt, node })),
  );
  await sql`
    with input as (
      select * from jsonb_to_recordset(${input}::jsonb) as t(id text, attempt integer, node integer)
    ), ended as (
      update delivery_attempts a set ended_at = ${clock.sql}, outcome = 'retry', error = 'the node stopped before it started'
      from input i where a.delivery_id = i.id and a.attempt = i.attempt and a.ended_at is null
    )
    update deliveries d set state = 'waiting', due_at = ${clock.sql}, lease_owner = null, lease_until = null, sent_at = null
    from input i where d.id = i.id and d.state = 'sending' and d.lease_owner = i.node and d.attempts = i.attempt`.execute(
    db,
  );
}

/** The rest is found next time. */
const MOST_UNCLAIMED = 1_000;

/** Deliveries to dashboards that were closed before their node could reach them. */
export async function findUnclaimedBrowsers(
  db: Handle,
  clock: Clock,
): Promise<{ deliveryId: string; pageId: string }[]> {
  return db
    .selectFrom('deliveries')
    .select(['id as deliveryId', 'page_id as pageId'])
    .where('state', '=', 'waiting')
    .where('channel', '=', 'browser')
    .where('due_at', '<', sql<Temporal.Instant>`${clock.sql} - interval '15 seconds'`)
    .orderBy('due_at')
    .limit(MOST_UNCLAIMED)
    .execute();
}

/** Fails one of them, and returns its run; null if it was sent meanwhile. */
export async function failUnclaimedBrowser(
  tx: Tx,
  deliveryId: string,
  at: Temporal.Instant,
): Promise<Pick<Outgoing, 'responderId' | 'userId' | 'type'> | null> {
  const row = await tx
    .updateTable('deliveries')
    .set({
      state: 'failed',
      finished_at: at,
      error: 'the dashboard was closed before it could be reached',
    })
    .where('id', '=', deliveryId)
    .where('state', '=', 'waiting')
    .returning(['responder_id as responderId', 'user_id as userId', 'type'])
    .executeTakeFirst();
  return row ?? null;
}

/** Fails a delivery that the provider accepted and then could not deliver. Returns false if it had failed already. */
export async function markUndelivered(tx: Tx, deliveryId: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'failed', finished_at: at })
    .where('id', '=', deliveryId)
    .where('state', '=', 'accepted')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type ChannelDay = {
  channel: ChannelName;
  accepted: number;
  failed: number;
  waiting: number;
  last_accepted_at: string | null;
};

/** The outcomes of an organization's notifications since `since`, by channel. */
export async function channelDays(
  db: Handle,
  organizationId: string,
  since: Temporal.Instant,
): Promise<ChannelDay[]> {
  const { rows } = await sql<ChannelDay>`
    select d.channel, count(*) filter (where d.accepted_at is not null)::integer as accepted,
      count(*) filter (where d.state = 'failed')::integer as failed,
      count(*) filter (where d.state in ('waiting', 'sending', 'retrying'))::integer as waiting,
      ${utcText('max(d.accepted_at)')} as last_accepted_at
    from pages p join deliveries d on d.page_id = p.id
    where p.organization_id = ${organizationId} and p.id >= ${firstIdAt('page', since)} group by d.channel`.execute(
    db,
  );
  return rows;
}
