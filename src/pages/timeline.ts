import { storedText, storedTextOrNull } from '../language/stored.ts';
import type { ChannelName, Person } from '../people/contract.ts';
import { shortAddress } from '../people/short-address.ts';
import type { AllClearState, TimelineEntry, UpcomingEntry } from './api-contract.ts';
import type { DeliveryState, ResponderKind } from './contract.ts';
import type { PageEventKind, PageEventOf } from './event-contract.ts';

/** The rows about one page; times are already formatted for the API. */
export type TimelineRows = {
  requestId: string;
  events: EventRow[];
  responders: ResponderRow[];
  deliveries: DeliveryRow[];
};
type EventRow = { at: string; userId: string | null } & PageEventOf<PageEventKind>;
type ResponderRow = {
  at: string;
  kind: ResponderKind;
  userId: string;
  stage: number | null;
  round: number;
  why: Record<string, unknown>;
};
type DeliveryRow = {
  id: string;
  userId: string;
  channel: ChannelName;
  address: string;
  state: DeliveryState;
  dueAt: string;
  repeat: boolean;
  bundledInto: string | null;
  receipt: string | null;
  receiptAt: string | null;
  error: string | null;
  finishedAt: string | null;
  attempts: AttemptRow[];
  /** The all-clear; null if nothing was sent. `at`: the last attempt. */
  allClear: { at: string; state: AllClearState; error: string | null } | null;
};
type AttemptRow = {
  attempt: number;
  begunAt: string;
  endedAt: string | null;
  outcome: 'accepted' | 'refused' | 'retry' | 'unknown' | null;
  providerId: string | null;
  error: string | null;
};

type Who = (userId: string | null) => Person | null;

/** The ids of all people whom the rows name. */
export function peopleIn(rows: TimelineRows): string[] {
  const ids = [
    ...rows.events.flatMap((event) => [event.userId, ...peopleOf(event)]),
    ...rows.responders.map(({ userId }) => userId),
    ...rows.deliveries.map(({ userId }) => userId),
  ];
  return [...new Set(ids.filter((id) => id !== null))];
}

/** The timeline from four tables: what was done, who was notified and why, and the outcome of each delivery. */
export function buildTimeline(rows: TimelineRows, people: ReadonlyMap<string, Person>): TimelineEntry[] {
  const who: Who = (userId) => (userId === null ? null : (people.get(userId) ?? null));
  const entries = [
    ...rows.events.flatMap((event) => eventEntry(event, rows.requestId, who)),
    ...rows.responders.flatMap((responder) => notifiedEntry(responder, who)),
    ...rows.deliveries.flatMap((delivery) => deliveryEntries(delivery, who)),
    ...cancelledEntries(rows),
  ];
  // Entries of the same time are ordered by rank: a person is notified before the attempts to reach them.
  return entries.toSorted((a, b) => a.at.localeCompare(b.at) || rank(a) - rank(b));
}

const RANKS: Partial<Record<TimelineEntry['kind'], number>> = {
  raised: 0,
  stand_by: 1,
  gap: 2,
  notified: 3,
  attempt: 5,
  cancelled: 6,
  all_clear: 7,
};

function rank(entry: TimelineEntry): number {
  return RANKS[entry.kind] ?? 4;
}

/** Why a source paged, and why with this urgency. */
function inReadersWords<Data extends { reasons?: readonly string[] }>(data: Data): Data {
  return data.reasons === undefined ? data : { ...data, reasons: data.reasons.map(storedText) };
}

function eventEntry(event: EventRow, requestId: string, who: Who): TimelineEntry[] {
  const { at } = event;
  const user = who(event.userId);
  switch (event.kind) {
    case 'notified':
      // Shown from the responders.
      return [];
    case 'raised':
      return [{ at, kind: event.kind, by: user, request_id: requestId, ...inReadersWords(event.data) }];
    case 'repeated':
      return [{ at, kind: event.kind, ...event.data }];
    case 'urgency_raised':
      return [{ at, kind: event.kind, ...inReadersWords(event.data) }];
    case 'came_back':
      return [{ at, kind: event.kind, ...event.data }];
    case 'acknowledged':
    case 'resolved':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'answered_late':
    case 'unacknowledged':
    case 'reopened':
    case 'joined':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'extended':
    case 'snoozed':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'escalated':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'undone':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'comment':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'paged_again':
      return [{ at, kind: event.kind, by: user, ...event.data }];
    case 'added':
      return [{ at, kind: event.kind, by: user, ...event.data, people: persons(event.data.people, who) }];
    case 'reassigned':
      return [{ at, kind: event.kind, by: user, ...event.data, people: persons(event.data.people, who) }];
    case 'unreachable':
      return [{ at, kind: event.kind, person: user, ...event.data }];
    case 'disabled':
      return [{ at, kind: event.kind, person: user, ...event.data }];
    case 'reminded':
      return [{ at, kind: event.kind, person: user, ...event.data }];
    case 'gap':
      return [{ at, kind: event.kind, ...event.data }];
    case 'failed':
      return [{ at, kind: event.kind, ...event.data }];
    case 'stand_by':
      return [{ at, kind: event.kind, ...event.data }];
    case 'duplicate':
      return [{ at, kind: event.kind, ...event.data }];
    case 'expired':
      return [{ at, kind: event.kind, notified: persons(event.data.told, who) }];
    default:
      // A newer release may have written a kind that this one does not know.
      return [];
  }
}

/** The people whom the data of an event names. */
function peopleOf(event: EventRow): readonly string[] {
  if (event.kind === 'added' || event.kind === 'reassigned') return event.data.people;
  return event.kind === 'expired' ? event.data.told : [];
}

function notifiedEntry({ at, kind, userId, stage, round, why }: ResponderRow, who: Who): TimelineEntry[] {
  const person = who(userId);
  return person && kind !== 'expired' ? [{ at, kind: 'notified', person, as: kind, stage, round, why }] : [];
}

function deliveryEntries(delivery: DeliveryRow, who: Who): TimelineEntry[] {
  const person = who(delivery.userId);
  if (!person) return [];
  const { channel, id: delivery_id, attempts, finishedAt } = delivery;
  const about = { person, channel, address: shortAddress(channel, delivery.address), delivery_id };
  const entries: TimelineEntry[] = attempts.map((attempt) => attemptEntry(delivery, attempt, about));
  if (delivery.allClear) {
    const { error, ...allClear } = delivery.allClear;
    entries.push({ kind: 'all_clear', ...about, ...allClear, error: storedTextOrNull(error) });
  }
  if (!finishedAt) return entries;
  if (delivery.state === 'bundled')
    return [...entries, { at: finishedAt, kind: 'bundled', ...about, into: delivery.bundledInto }];
  if (delivery.state === 'failed' && attempts.length === 0)
    return [{ at: finishedAt, kind: 'not_sent', ...about, error: storedTextOrNull(delivery.error) }];
  return entries;
}

function attemptEntry(
  delivery: DeliveryRow,
  attempt: AttemptRow,
  about: { person: Person; channel: ChannelName; address: string; delivery_id: string },
): TimelineEntry {
  const last = attempt === delivery.attempts.at(-1);
  return {
    at: attempt.begunAt,
    kind: 'attempt',
    ...about,
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    ended_at: attempt.endedAt,
    provider_id: attempt.providerId,
    error: storedTextOrNull(
      attempt.error ?? (last && attempt.outcome === 'accepted' ? delivery.error : null),
    ),
    repeat: delivery.repeat && attempt.attempt > 1,
    receipt: last ? delivery.receipt : null,
    receipt_at: last ? delivery.receiptAt : null,
    next_at: last && delivery.state === 'retrying' ? delivery.dueAt : null,
  };
}

/** One entry for all deliveries that an answer cancelled together. Those of a disabled person belong to the entry `disabled`. */
function cancelledEntries({ deliveries, events }: TimelineRows): TimelineEntry[] {
  const disabled = new Set(
    events.filter(({ kind }) => kind === 'disabled').map(({ at, userId }) => `${at} ${userId}`),
  );
  const counts = new Map<string, number>();
  for (const { state, finishedAt, userId } of deliveries)
    if (state === 'cancelled' && finishedAt && !disabled.has(`${finishedAt} ${userId}`))
      counts.set(finishedAt, (counts.get(finishedAt) ?? 0) + 1);
  return [...counts].map(([at, count]) => ({ at, kind: 'cancelled', count }));
}

/** Deliveries that are not due yet. */
export function upcomingAttempts(rows: TimelineRows, people: ReadonlyMap<string, Person>): UpcomingEntry[] {
  return rows.deliveries.flatMap(({ state, userId, channel, address, dueAt, attempts }) => {
    const person = people.get(userId);
    if (!person || (state !== 'waiting' && state !== 'retrying')) return [];
    const again = attempts.length > 0;
    return [
      {
        at: dueAt,
        kind: 'attempt' as const,
        person,
        channel,
        address: shortAddress(channel, address),
        again,
      },
    ];
  });
}

export function proofOf(timeline: readonly TimelineEntry[]) {
  const attempts = timeline.filter((entry) => entry.kind === 'attempt');
  return {
    attempts: attempts.length,
    receipts: attempts.filter(({ receipt }) => receipt !== null).length,
    repeats: attempts.filter(({ repeat }) => repeat).length,
  };
}

function persons(ids: readonly string[], who: Who): Person[] {
  return ids.flatMap((id) => who(id) ?? []);
}
