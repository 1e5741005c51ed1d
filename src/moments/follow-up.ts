import { stored } from '../language/contract.ts';
import type { MomentState, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';
import { isHigher } from './integrations/severity.ts';
import { fireAnew, type Parts, stillFire } from './parts.ts';

/** The smallest difference between two times that the database can store. */
export const A_LITTLE = { microseconds: 1 };

/** The moment of an event's key: the open one, otherwise the newest. */
export type KnownMoment = {
  state: MomentState;
  lastEventAt: Temporal.Instant;
  priority: Priority;
  /** The user who acknowledged it; null if its sender did, or nobody. */
  acknowledgedBy: string | null;
  /** The known parts of a group. */
  parts?: Parts | null;
};

export type FollowUp =
  | { change: 'create' | 'update' | 'acknowledge' | 'unacknowledge' | 'resolve' }
  /** Nothing changes; `reason` is a sentence. */
  | { change: 'none'; reason: string };

/**
 * The effect of an event. Events may arrive twice and out of order. An event that is older than the latest one changes
 * nothing. After the end, a newer trigger opens a new moment. A repeated trigger keeps an acknowledgement. A sender can
 * take back its own acknowledgement, but not that of a user. A trigger with a worse state reopens a moment that the
 * sender had acknowledged, but not one that a user had. A part of a group that was silenced until the others had ended
 * may have begun before that end; it still opens a moment.
 */
export function followUp(
  known: KnownMoment | null,
  event: Pick<MomentEvent, 'action' | 'at' | 'parts' | 'opens' | 'priority'>,
): FollowUp {
  const { action, at } = event;
  const isOlder = known !== null && Temporal.Instant.compare(at, known.lastEventAt) < 0;
  if (isOlder && !addsToOlder(known, event))
    return { change: 'none', reason: stored('This event is older than the latest one of the moment.') };
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

/** Whether an event that is older than the latest one still shows that the problem continues. */
function addsToOlder(known: KnownMoment, { action, parts }: Pick<MomentEvent, 'action' | 'parts'>): boolean {
  if (action !== 'open') return false;
  const adds = known.state === 'resolved' ? fireAnew : stillFire;
  return adds(known.parts ?? null, parts ?? null);
}

function first({ action, opens }: Pick<MomentEvent, 'action' | 'opens'>): FollowUp {
  if (action === 'open' || action === 'unacknowledge' || (action === 'acknowledge' && opens))
    return { change: 'create' };
  return { change: 'none', reason: stored('No open moment has this key.') };
}

/** A moment that a person reopens. */
export type EndedMoment = Pick<KnownMoment, 'lastEventAt'> & {
  acknowledgedAt: Temporal.Instant | null;
  /** Null if its sender ended it. */
  resolvedBy: string | null;
};

/**
 * A person reopens a moment. It returns to its state before the end, and its sender can end it as before. `endedAt` is
 * an end that the sender reported while the moment was resolved. Repetitions of an end that the person knew do not end
 * the moment again; a later end does.
 */
export function reopened(
  { acknowledgedAt, lastEventAt, resolvedBy }: EndedMoment,
  endedAt: Temporal.Instant | null,
): { state: 'open' | 'acknowledged'; lastEventAt: Temporal.Instant; endedBySender: boolean } {
  // Resolving it moved the time of its last event by the smallest step.
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
