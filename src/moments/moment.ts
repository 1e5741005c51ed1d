import type { MomentState, MomentType, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';

/** A moment as it is stored. Times of its rows are the store's business. */
export type Moment = {
  id: string;
  organizationId: string;
  teamId: string;
  webhookId: string;
  dedupKey: string | null;
  name: string;
  type: MomentType;
  description: string | null;
  priority: Priority;
  source: string | null;
  sourceUrl: string | null;
  occurredAt: Temporal.Instant;
  state: MomentState;
  lastEventAt: Temporal.Instant;
  acknowledgedAt: Temporal.Instant | null;
  /** The person who did, if it was one of ours. */
  acknowledgedBy: string | null;
  resolvedAt: Temporal.Instant | null;
};

/** Where an event came in. */
export type Origin = Pick<Moment, 'organizationId' | 'teamId' | 'webhookId'>;

export function newMoment(id: string, origin: Origin, event: MomentEvent): Moment {
  const { organizationId, teamId, webhookId } = origin;
  const { dedupKey, name, type, description, priority, source, sourceUrl, occurredAt, at } = event;
  return {
    ...{ id, organizationId, teamId, webhookId },
    ...{ dedupKey, name, type, description, priority, source, sourceUrl, occurredAt },
    state: 'open',
    lastEventAt: at,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
  };
}

/**
 * The moment after a follow-up event. What an opening event says replaces what was said before; when it began stays.
 * The end keeps the last words about the trouble, and so does an event that has no words of its own.
 */
export function followed(
  moment: Moment,
  event: MomentEvent,
  change: 'update' | 'acknowledge' | 'unacknowledge' | 'resolve',
): Moment {
  const back = change === 'unacknowledge' ? { state: 'open' as const, acknowledgedAt: null } : {};
  const seen = { ...moment, ...back, lastEventAt: event.at };
  if (change === 'resolve') return { ...seen, state: 'resolved', resolvedAt: event.at };
  if (change === 'acknowledge') return { ...seen, state: 'acknowledged', acknowledgedAt: event.at };
  if (event.action !== 'open' && event.action !== 'unacknowledge') return seen;
  const { name, priority, source, sourceUrl } = event;
  return { ...seen, name, description: event.description ?? moment.description, priority, source, sourceUrl };
}
