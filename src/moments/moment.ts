import type { MomentState, MomentType, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';
import { A_LITTLE } from './follow-up.ts';
import { carriedParts, leftParts, mergedParts, type Parts } from './parts.ts';

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
  /** The person whom the sender named when it acknowledged, and what that person wrote. */
  acknowledgedAs: string | null;
  acknowledgedComment: string | null;
  resolvedAt: Temporal.Instant | null;
  /** What is known of the parts of a group; null when its sender names none. */
  parts: Parts | null;
};

/** Where an event came in. */
export type Origin = Pick<Moment, 'organizationId' | 'teamId' | 'webhookId'>;

/** What was known of the same thing before. */
export type Predecessor = Pick<Moment, 'lastEventAt'> & { parts?: Parts | null };

/**
 * A part of a group can begin a moment although it is older than the end of the moment before: what is known up to then
 * goes on to count, so that a repetition of that end does not end the new one.
 */
export function newMoment(
  id: string,
  origin: Origin,
  event: MomentEvent,
  previous: Predecessor | null,
): Moment {
  const { organizationId, teamId, webhookId } = origin;
  const { dedupKey, name, type, description, priority, source, sourceUrl, occurredAt, at } = event;
  const isOlder = previous && Temporal.Instant.compare(at, previous.lastEventAt) < 0;
  const lastEventAt = isOlder ? previous.lastEventAt.add(A_LITTLE) : at;
  return {
    ...{ id, organizationId, teamId, webhookId },
    ...{ dedupKey, name, type, description, priority, source, sourceUrl, occurredAt },
    ...(event.action === 'acknowledge' ? acknowledgement(event) : NOT_ACKNOWLEDGED),
    lastEventAt,
    acknowledgedBy: null,
    resolvedAt: null,
    parts: carriedParts(previous?.parts ?? null, event.parts ?? null, lastEventAt),
  };
}

const NOT_ACKNOWLEDGED = {
  state: 'open',
  ...{ acknowledgedAt: null, acknowledgedAs: null, acknowledgedComment: null },
} as const;

function acknowledgement({ at, by = null, comment = null }: MomentEvent) {
  return {
    state: 'acknowledged' as const,
    ...{ acknowledgedAt: at, acknowledgedAs: by, acknowledgedComment: comment },
  };
}

/**
 * The moment after a follow-up event. What an event says that opens or acknowledges replaces what was said before; when it
 * began stays. The end keeps the last words about the trouble, and so does an event that has no words of its own. An event
 * about parts that fire as before may be older than the last one.
 */
export function followed(
  moment: Moment,
  event: MomentEvent,
  change: 'update' | 'acknowledge' | 'unacknowledge' | 'resolve',
): Moment {
  const parts = mergedParts(moment.parts, event.parts ?? null);
  const isOlder = Temporal.Instant.compare(event.at, moment.lastEventAt) < 0;
  const lastEventAt = isOlder ? moment.lastEventAt : event.at;
  const seen = { ...moment, lastEventAt, parts };
  if (change === 'resolve')
    return { ...seen, state: 'resolved', resolvedAt: event.at, parts: leftParts(parts) };
  const told = event.action === 'resolve' || event.bare ? seen : { ...seen, ...wordsOf(event, moment) };
  if (change === 'acknowledge') return { ...told, ...acknowledgement(event) };
  if (change === 'unacknowledge') return { ...told, ...NOT_ACKNOWLEDGED };
  return acknowledgesAgain(moment, event) ? { ...told, ...acknowledgement(event) } : told;
}

/** A sender names another person, or another comment, for its own acknowledgement. */
function acknowledgesAgain(moment: Moment, { action, by, comment }: MomentEvent): boolean {
  return action === 'acknowledge' && moment.acknowledgedBy === null && Boolean(by || comment);
}

/** An acknowledgement that names no severity leaves the priority as it was. */
function wordsOf(
  event: MomentEvent,
  moment: Moment,
): Pick<Moment, 'name' | 'description' | 'priority' | 'source' | 'sourceUrl'> {
  const { action, name, source, sourceUrl, severity = null } = event;
  return {
    ...{ name, source, sourceUrl },
    description: event.description ?? moment.description,
    priority: action === 'acknowledge' && severity === null ? moment.priority : event.priority,
  };
}
