import type { MomentState } from './contract.ts';
import type { MomentEvent } from './event.ts';

/** What is known of the moment that an event is about: the open one, else the newest. */
export type KnownMoment = {
  state: MomentState;
  lastEventAt: Temporal.Instant;
  /** The person of ours who acknowledged it; null when its sender said so, or nobody did. */
  acknowledgedBy: string | null;
};

export type FollowUp =
  | { change: 'create' | 'update' | 'acknowledge' | 'unacknowledge' | 'resolve' }
  /** Nothing changes; the sentence says why. */
  | { change: 'none'; reason: string };

/**
 * What an event does. Events may come twice and out of order: one that is older than what is known changes nothing,
 * and so neither reopens nor closes. After the end a newer firing is a new moment. A repeated firing leaves an
 * acknowledgement as it is; a sender can take back its own, but not that of a person of ours.
 */
export function followUp(
  known: KnownMoment | null,
  { action, at }: Pick<MomentEvent, 'action' | 'at'>,
): FollowUp {
  if (known && Temporal.Instant.compare(at, known.lastEventAt) < 0)
    return { change: 'none', reason: 'It is older than what is already known about the moment.' };
  if (!known || known.state === 'resolved') return first(action);
  if (action === 'open') return { change: 'update' };
  if (action === 'acknowledge' && known.state === 'acknowledged') return { change: 'update' };
  if (action === 'unacknowledge' && (known.state === 'open' || known.acknowledgedBy !== null))
    return { change: 'update' };
  return { change: action };
}

function first(action: MomentEvent['action']): FollowUp {
  if (action === 'open' || action === 'unacknowledge') return { change: 'create' };
  const done = action === 'resolve' ? 'resolves' : 'acknowledges';
  return { change: 'none', reason: `It ${done} something of which no moment is open.` };
}
