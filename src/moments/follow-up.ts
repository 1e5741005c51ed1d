import type { MomentState, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';
import { isHigher } from './integrations/severity.ts';
import { fireAnew, type Parts, stillFire } from './parts.ts';

/** The smallest difference between two times that the database tells apart. */
export const A_LITTLE = { microseconds: 1 };

/** What is known of the moment that an event is about: the open one, else the newest. */
export type KnownMoment = {
  state: MomentState;
  lastEventAt: Temporal.Instant;
  priority: Priority;
  /** The person of ours who acknowledged it; null when its sender said so, or nobody did. */
  acknowledgedBy: string | null;
  /** What is known of the parts of a group. */
  parts?: Parts | null;
};

export type FollowUp =
  | { change: 'create' | 'update' | 'acknowledge' | 'unacknowledge' | 'resolve' }
  /** Nothing changes; the sentence says why. */
  | { change: 'none'; reason: string };

/**
 * What an event does. Events may come twice and out of order: one that is older than what is known changes nothing,
 * and so neither reopens nor closes. After the end a newer firing is a new moment. A repeated firing leaves an
 * acknowledgement as it is; a sender can take back its own, but not that of a person of ours. One that is worse than what
 * the sender acknowledged reopens the moment; after a person's acknowledgement it does not. A part of a group that was
 * silenced until others had ended tells of a beginning before that end; it is news all the same.
 */
export function followUp(
  known: KnownMoment | null,
  event: Pick<MomentEvent, 'action' | 'at' | 'parts' | 'opens' | 'priority'>,
): FollowUp {
  const { action, at } = event;
  const isOlder = known !== null && Temporal.Instant.compare(at, known.lastEventAt) < 0;
  if (isOlder && !addsToOlder(known, event))
    return { change: 'none', reason: 'This event is older than the latest one of the moment.' };
  if (!known || known.state === 'resolved') return first(event);
  if (action === 'open') return { change: !isOlder && isWorse(known, event) ? 'unacknowledge' : 'update' };
  if (action === 'acknowledge' && known.state === 'acknowledged') return { change: 'update' };
  if (action === 'unacknowledge' && (known.state === 'open' || known.acknowledgedBy !== null))
    return { change: 'update' };
  return { change: action };
}

function isWorse(known: KnownMoment, { priority }: Pick<MomentEvent, 'priority'>): boolean {
  return (
    known.state === 'acknowledged' && known.acknowledgedBy === null && isHigher(priority, known.priority)
  );
}

/** Whether an event that is older than the latest one still says that something goes on. */
function addsToOlder(known: KnownMoment, { action, parts }: Pick<MomentEvent, 'action' | 'parts'>): boolean {
  if (action !== 'open') return false;
  const adds = known.state === 'resolved' ? fireAnew : stillFire;
  return adds(known.parts ?? null, parts ?? null);
}

function first({ action, opens }: Pick<MomentEvent, 'action' | 'opens'>): FollowUp {
  if (action === 'open' || action === 'unacknowledge' || (action === 'acknowledge' && opens))
    return { change: 'create' };
  return { change: 'none', reason: 'No open moment has this key.' };
}

/** What is known of a moment that a person reopens. */
export type EndedMoment = Pick<KnownMoment, 'lastEventAt'> & {
  acknowledgedAt: Temporal.Instant | null;
  /** Null: its sender said that it is over. */
  resolvedBy: string | null;
};

/**
 * A person says that a moment is not over: it is again what it was before its end, and its sender can end it as before.
 * `endedAt` is what the sender said about an end while it was over. An end that was known when the person decided does
 * not end it once more, however often it is repeated; a later one does.
 */
export function reopened(
  { acknowledgedAt, lastEventAt, resolvedBy }: EndedMoment,
  endedAt: Temporal.Instant | null,
): { state: 'open' | 'acknowledged'; lastEventAt: Temporal.Instant; endedBySender: boolean } {
  // Whoever resolved it made its last event a little newer.
  const known = resolvedBy === null ? lastEventAt : lastEventAt.subtract(A_LITTLE);
  const isLater = endedAt !== null && Temporal.Instant.compare(endedAt, known) > 0;
  const endedBySender = resolvedBy === null || isLater;
  const last = isLater ? endedAt : known;
  return {
    state: acknowledgedAt === null ? 'open' : 'acknowledged',
    lastEventAt: endedBySender ? last.add(A_LITTLE) : last,
    endedBySender,
  };
}
