import { sql } from 'kysely';
import { LOCK } from '../../db/advisory-locks.ts';
import type { Handle, Tx } from '../../db/database.ts';
import { newId } from '../../kit/typeid.ts';
import { CHANNEL, CHANNELS, type ChannelName } from '../channels/contract.ts';
import { type Recent, WINDOW_MS } from '../limits.ts';

/** All-clears are not sent later than this after the end of their page. */
const WORTH_SENDING = { minutes: 60 };
/** A call that was placed longer ago than this has ended by itself. */
const LONGEST_CALL = { minutes: 10 };
/** The most rows that one query reads. */
const MOST_ROWS = 500;

/** Channels that announce that a page has ended. */
const FOLLOWED = CHANNELS.filter((channel) => CHANNEL[channel].whenOver !== 'nothing');
const CHANGED = CHANNELS.filter((channel) => CHANNEL[channel].whenOver === 'change');
/**
 * Channels that show the end without a sound. Calls are not among them, because the person may be answering in that
 * call.
 */
const SILENT = CHANGED.filter((channel) => channel !== 'voice');
/**
 * Channels on which an all-clear needs the provider's id of the notification. A push needs none, because it replaces
 * the notification of its page.
 */
const CHANGED_BY_ID = CHANGED.filter((channel) => channel !== 'push');

/**
 * The outcome of its last attempt is unknown, because its node died or the connection broke: its person may have been
 * notified. It stays unknown if it is cancelled because its page has ended.
 */
const MAY_HAVE_ARRIVED = sql<boolean>`(carrier.repeat and carrier.attempts > 0
  and (carrier.provider_id is not null or carrier.channel <> all(${CHANGED_BY_ID}::text[])))`;

/**
 * Queues all-clears of a page that was just resolved: one message for each person and address, and one for each
 * notification that is changed. Deliveries that were never sent get none. For deliveries that are being sent, this is
 * decided when the attempt has ended. A delivery that may have arrived counts as arrived. Unsent all-clears of an
 * earlier end of the page are queued again. Returns their channels. `silently`: only notifications that are changed
 * without a sound, and after `delayMs`.
 */
export async function queueAllClears(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  { silently = false, delayMs = 0 } = {},
): Promise<ChannelName[]> {
  const dueAt = at.add({ milliseconds: delayMs });
  const { rows } = await sql<{ id: string; channel: ChannelName }>`
    select distinct on (d.user_id, d.channel, place) d.id, d.channel,
      case when d.channel = 'push' then concat(carrier.address, ' ', carrier.page_id)
        when d.channel = any(${CHANGED}::text[]) then carrier.id else carrier.address end as place
    from deliveries d join deliveries carrier on carrier.id = coalesce(d.bundled_into, d.id)
    where d.page_id = ${pageId} and d.channel = any(${silently ? SILENT : FOLLOWED}::text[])
      and (carrier.state in ('sending', 'accepted', 'delivered') or ${MAY_HAVE_ARRIVED})
      and (d.channel <> 'voice' or carrier.sent_at > ${at.subtract(LONGEST_CALL)})
    order by d.user_id, d.channel, place, carrier.state not in ('accepted', 'delivered'), carrier.state <> 'sending', d.id desc`.execute(
    tx,
  );
  if (rows.length === 0) return [];
  await sql`
    update all_clears set state = 'cancelled', finished_at = ${at}
    where state = 'waiting' and delivery_id in (select id from deliveries where page_id = ${pageId})`.execute(
    tx,
  );
  await sql`
    insert into all_clears (id, organization_id, delivery_id, user_id, channel, state, due_at, expires_at, created_at)
    select queued.id, d.organization_id, d.id, d.user_id, d.channel, 'waiting', ${dueAt}::timestamptz,
      ${at.add(WORTH_SENDING)}::timestamptz, ${at}::timestamptz
    from unnest(${rows.map(() => newId('delivery'))}::text[], ${rows.map(({ id }) => id)}::text[]) as queued (id, delivery_id)
    join deliveries d on d.id = queued.delivery_id
    on conflict (delivery_id) do update set state = 'waiting', due_at = excluded.due_at, expires_at = excluded.expires_at,
      created_at = excluded.created_at, finished_at = null, error = null
    where all_clears.state = 'cancelled'`.execute(tx);
  return [...new Set(rows.map(({ channel }) => channel))];
}

/** An all-clear that is due, locked until the end of the transaction. */
export type DueAllClear = {
  id: string;
  attempts: number;
  userId: string;
  /** The delivery whose message is changed, or which another message follows. */
  carrier: string;
  address: string;
  carrierState: string;
  /** Whether it may have arrived although no acceptance was recorded. */
  mayHaveArrived: boolean;
  /** The provider's id of that message. */
  providerId: string | null;
  pageId: string;
  title: string;
  resolvedBy: string | null;
  /** Null when the page is not resolved. */
  resolvedAt: Temporal.Instant | null;
  /** The person is disabled, or their contact method was removed or is no longer verified. */
  unreachable: boolean;
  /** Another page of the same message is still open. */
  othersOpen: boolean;
  expired: boolean;
};

/** All-clears of one channel that are due, oldest first. */
export async function takeDueAllClears(
  tx: Tx,
  at: Temporal.Instant,
  channel: ChannelName,
): Promise<DueAllClear[]> {
  await sql`select pg_advisory_xact_lock(${LOCK.allClears}, ${CHANNELS.indexOf(channel)})`.execute(tx);
  const { rows } = await sql<DueAllClear>`
    select f.id, f.attempts, f.user_id as "userId", carrier.id as carrier, carrier.address, carrier.state as "carrierState",
      ${MAY_HAVE_ARRIVED} as "mayHaveArrived",
      carrier.provider_id as "providerId", p.id as "pageId", p.title,
      coalesce(w.name, r.name) as "resolvedBy", case when p.state = 'resolved' then p.resolved_at end as "resolvedAt",
      u.disabled_at is not null or m.id is null as unreachable,
      exists (select from deliveries o join pages op on op.id = o.page_id
        where (o.id = carrier.id or o.bundled_into = carrier.id) and op.state in ('notifying', 'acknowledged')) as "othersOpen",
      f.expires_at <= ${at} as expired
    from all_clears f
    join deliveries d on d.id = f.delivery_id
    join deliveries carrier on carrier.id = coalesce(d.bundled_into, d.id)
    join pages p on p.id = d.page_id
    join users u on u.id = f.user_id
    left join users r on r.id = p.resolved_by
    left join webhooks w on w.id = p.resolved_by_source
    left join contact_methods m on m.id = carrier.contact_method_id and m.value = carrier.address and m.verified_at is not null
    where f.state = 'waiting' and f.channel = ${channel} and f.due_at <= ${at}
    order by f.due_at, f.id limit ${MOST_ROWS} for no key update of f skip locked`.execute(tx);
  return rows;
}

/** The messages to these people on one channel within the window before `at`, by person. */
export async function recentAllClears(
  tx: Tx,
  at: Temporal.Instant,
  channel: ChannelName,
  userIds: readonly string[],
): Promise<Map<string, Recent>> {
  const { rows } = await sql<Recent & { userId: string }>`
    select user_id as "userId", count(*)::int as count, min(sent_at) as oldest from all_clears
    where user_id = any(${[...userIds]}::text[]) and channel = ${channel} and carried_by = id
      and sent_at > ${at.subtract({ milliseconds: WINDOW_MS })} and sent_at < ${at.add({ milliseconds: WINDOW_MS })}
    group by user_id`.execute(tx);
  return new Map(rows.map(({ userId, count, oldest }) => [userId, { count, oldest }]));
}

/** Leases all-clears until `until`; after that, others may take them. All of them are in the message of `carriedBy`. */
export async function leaseAllClears(
  tx: Tx,
  ids: readonly string[],
  lease: { at: Temporal.Instant; until: Temporal.Instant; carriedBy: string },
): Promise<void> {
  await sql`
    update all_clears set attempts = attempts + 1, due_at = ${lease.until}, sent_at = ${lease.at}, carried_by = ${lease.carriedBy}
    where id = any(${[...ids]}::text[])`.execute(tx);
}

export async function postponeAllClears(
  tx: Tx,
  ids: readonly string[],
  until: Temporal.Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`update all_clears set due_at = ${until} where id = any(${[...ids]}::text[])`.execute(tx);
}

/** Ends all-clears without sending them. */
export async function cancelAllClears(tx: Tx, ids: readonly string[], at: Temporal.Instant): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update all_clears set state = 'cancelled', finished_at = ${at}
    where id = any(${[...ids]}::text[])`.execute(tx);
}

/** How an attempt ended; `dueAt` is the time of the next one. */
export type AllClearEnding =
  | { state: 'sent' }
  | { state: 'failed'; error: string }
  | { state: 'waiting'; error: string; dueAt: Temporal.Instant };

/** Records how an attempt ended, for all-clears whose lease was not lost. `attempts` includes that attempt. */
export async function endAllClears(
  db: Handle,
  at: Temporal.Instant,
  held: readonly { id: string; attempts: number }[],
  ending: AllClearEnding,
): Promise<void> {
  const finishedAt = ending.state === 'waiting' ? null : at;
  const error = ending.state === 'sent' ? null : ending.error;
  const dueAt = ending.state === 'waiting' ? ending.dueAt : null;
  await sql`
    update all_clears f set state = ${ending.state}, error = ${error}, finished_at = ${finishedAt}::timestamptz,
      due_at = coalesce(${dueAt}::timestamptz, f.due_at)
    from unnest(${held.map(({ id }) => id)}::text[], ${held.map(({ attempts }) => attempts)}::integer[]) as held (id, attempts)
    where f.id = held.id and f.attempts = held.attempts and f.state = 'waiting'`.execute(db);
}
