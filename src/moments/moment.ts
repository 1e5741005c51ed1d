import type { MomentState, MomentType, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';
import { A_LITTLE } from './follow-up.ts';
import { carriedParts, leftParts, mergedParts, type Parts } from './parts.ts';

/** A stored moment. The store sets the times of its rows. */
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
  /** The user who did it, if any. */
  acknowledgedBy: string | null;
  /** The person whom the sender named in its acknowledgement, and that person's comment. */
  acknowledgedAs: string | null;
  acknowledgedComment: string | null;
  resolvedAt: Temporal.Instant | null;
  /** The known parts of a group; null if its sender names none. */
  parts: Parts | null;
};

/** The webhook and call of an event. */
export type Origin = Pick<Moment, 'organizationId' | 'teamId' | 'webhookId'>;

/** The earlier state of the same key. */
export type Predecessor = Pick<Moment, 'lastEventAt'> & { parts?: Parts | null };

/**
 * A part of a group can open a moment although it began before the end of the last one. The time of that end is kept,
 * so that a repetition of it does not end the new moment.
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
 * The moment after a follow-up event. A trigger or acknowledgement replaces the texts; the time of the beginning stays. An
 * end keeps the last texts, and so does an event without texts. An event about parts that still fire may be older than the
 * last one.
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

/** A sender can name another person, or another comment, for its own acknowledgement. */
function acknowledgesAgain(moment: Moment, { action, by, comment }: MomentEvent): boolean {
  return action === 'acknowledge' && moment.acknowledgedBy === null && Boolean(by || comment);
}

/** An acknowledgement that names no severity leaves the priority unchanged. */
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
