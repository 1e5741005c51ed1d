import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { CHANNEL, type ChannelName } from '../channels/contract.ts';
import { heldUntil } from '../limits.ts';
import {
  cancelAllClears,
  type DueAllClear,
  leaseAllClears,
  postponeAllClears,
  recentAllClears,
  takeDueAllClears,
} from './store.ts';

/** Longer than an attempt and the recording of its outcome. */
const LEASE = { seconds: 30 };
/** While the notification itself is being sent, its all-clear is checked again after this time. */
const LOOK_AGAIN = { milliseconds: 500 };

/** All-clears that are sent as one message; `id` is the same for every attempt of it. */
export type AllClearMessage = { id: string; parts: readonly [DueAllClear, ...DueAllClear[]] };

/**
 * Leases the all-clears that one channel sends now, at most `limit` messages, and returns whether there may be more.
 * Cancels the all-clears of pages that are open again, of people who can no longer be reached, and of notifications
 * that were never sent.
 */
export async function claimAllClears(
  db: Database,
  clock: Clock,
  channel: ChannelName,
  limit: number,
): Promise<{ messages: AllClearMessage[]; more: boolean }> {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const due = await takeDueAllClears(tx, at, channel);
    const { cancel = [], wait = [], send = [] } = Object.groupBy(due, (one) => fateOf(one, channel));
    await cancelAllClears(tx, idsOf(cancel), at);
    await postponeAllClears(tx, idsOf(wait), at.add(LOOK_AGAIN));
    const messages = together(send, channel);
    const leaving = (await withinLimit(tx, at, channel, messages)).slice(0, limit);
    for (const { id, parts } of leaving)
      await leaseAllClears(tx, idsOf(parts), { at, until: at.add(LEASE), carriedBy: id });
    return { messages: leaving, more: leaving.length > 0 };
  });
}

function fateOf(due: DueAllClear, channel: ChannelName): 'send' | 'wait' | 'cancel' {
  const changes = CHANNEL[channel].whenOver === 'change';
  const { carrierState, resolvedAt, expired, othersOpen } = due;
  if (resolvedAt === null || expired || (changes && othersOpen)) return 'cancel';
  // A call is ended even if its person can no longer be reached.
  if (due.unreachable && channel !== 'voice') return 'cancel';
  if (carrierState === 'sending') return 'wait';
  return carrierState === 'accepted' || carrierState === 'delivered' || due.mayHaveArrived
    ? 'send'
    : 'cancel';
}

/**
 * A notification that covered several pages is changed once. On channels that bundle, messages to one address are
 * combined, so that the end of a storm is not another storm.
 */
function together(due: readonly DueAllClear[], channel: ChannelName): AllClearMessage[] {
  const { whenOver, mostPerMinute } = CHANNEL[channel];
  const placeOf = (one: DueAllClear) => {
    if (whenOver === 'change') return one.carrier;
    return mostPerMinute === null ? one.id : `${one.userId} ${one.address}`;
  };
  return [...Map.groupBy(due, placeOf).values()].map((group) => {
    const parts = group.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [DueAllClear, ...DueAllClear[]];
    return { id: parts[0].id, parts };
  });
}

/** Postpones messages beyond the channel's limit for one person; they are bundled when they leave. */
async function withinLimit(
  tx: Tx,
  at: Temporal.Instant,
  channel: ChannelName,
  messages: readonly AllClearMessage[],
): Promise<AllClearMessage[]> {
  const { whenOver, mostPerMinute } = CHANNEL[channel];
  if (whenOver === 'change' || mostPerMinute === null || messages.length === 0) return [...messages];
  const userIds = [...new Set(messages.map(({ parts }) => parts[0].userId))];
  const recent = await recentAllClears(tx, at, channel, userIds);
  const leaving: AllClearMessage[] = [];
  for (const message of messages) {
    const { userId } = message.parts[0];
    const known = recent.get(userId);
    const until = heldUntil(channel, known);
    if (until !== null) {
      await postponeAllClears(tx, idsOf(message.parts), until);
      continue;
    }
    recent.set(userId, { count: (known?.count ?? 0) + 1, oldest: known?.oldest ?? at });
    leaving.push(message);
  }
  return leaving;
}

function idsOf(due: readonly DueAllClear[]): string[] {
  return due.map(({ id }) => id);
}
