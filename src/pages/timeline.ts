import type { ChannelName, Person } from '../people/contract.ts';
import { shortAddress } from '../people/short-address.ts';
import type { DeliveryState, ResponderKind, TimelineEntry, UpcomingEntry } from './api-contract.ts';

/** What the database holds about one page; times as they go out. */
export type TimelineRows = {
  requestId: string;
  events: EventRow[];
  responders: ResponderRow[];
  deliveries: DeliveryRow[];
};
type EventRow = { at: string; kind: string; userId: string | null; data: Record<string, unknown> };
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

/** Everybody whom the rows name. */
export function peopleIn(rows: TimelineRows): string[] {
  const ids = [
    ...rows.events.flatMap(({ userId, data }) => [userId, ...idsOf(data.people), ...idsOf(data.told)]),
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
  gap: 1,
  notified: 2,
  attempt: 4,
  cancelled: 5,
};

function rank(entry: TimelineEntry): number {
  return RANKS[entry.kind] ?? 3;
}

function eventEntry({ at, kind, userId, data }: EventRow, requestId: string, who: Who): TimelineEntry[] {
  const by = who(userId);
  const via = typeof data.via === 'string' ? data.via : null;
  switch (kind) {
    case 'raised':
      return [{ at, kind, by, request_id: requestId }];
    case 'resolved':
      return [{ at, kind: data.from === 'expired' ? 'handled' : kind, by, via }];
    case 'acknowledged':
    case 'escalated':
    case 'answered_late':
    case 'unacknowledged':
    case 'reopened':
    case 'joined':
      return [{ at, kind, by, via }];
    case 'extended':
    case 'snoozed':
      return [{ at, kind, by, via, until: String(data.until ?? '') }];
    case 'reminded':
      return [{ at, kind, person: by, snoozed: data.snoozed === true }];
    case 'undone':
      return [{ at, kind, by, via, what: data.what === 'resolution' ? 'resolution' : 'acknowledgement' }];
    case 'added':
      return [{ at, kind, by, via, people: persons(data.people, who) }];
    case 'reassigned':
      return [{ at, kind, by, via, people: persons(data.people, who), team: nameOf(data.team) }];
    case 'comment':
      return [{ at, kind, by, text: String(data.text ?? '') }];
    case 'gap':
      return [{ at, kind, stage: numberOrNull(data.stage), round: Number(data.round ?? 1) }];
    case 'unreachable':
      return [{ at, kind, person: by }];
    case 'disabled':
      return [
        {
          at,
          kind,
          person: by,
          cancelled: Number(data.cancelled ?? 0),
          acknowledged: data.acknowledged === true,
        },
      ];
    case 'expired':
      return [{ at, kind, notified: persons(data.told, who) }];
    case 'paged_again':
      return [{ at, kind, by, page_id: String(data.page_id ?? '') }];
    case 'failed':
      return [{ at, kind, message: String(data.message ?? '') }];
    default:
      // `notified` is shown from the responders.
      return [];
  }
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
  const entries = attempts.map((attempt) => attemptEntry(delivery, attempt, about));
  if (!finishedAt) return entries;
  if (delivery.state === 'bundled')
    return [...entries, { at: finishedAt, kind: 'bundled', ...about, into: delivery.bundledInto }];
  if (delivery.state === 'failed' && attempts.length === 0)
    return [{ at: finishedAt, kind: 'not_sent', ...about, error: delivery.error }];
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
    error: attempt.error ?? (last && attempt.outcome === 'accepted' ? delivery.error : null),
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

/** Notifications that still wait for their time. */
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

function persons(ids: unknown, who: Who): Person[] {
  return idsOf(ids).flatMap((id) => who(id) ?? []);
}

/** Lists of user ids as events hold them; `notified` holds objects, which are not read here. */
function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function nameOf(team: unknown): string | null {
  return typeof team === 'object' && team !== null && 'name' in team ? String(team.name) : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
