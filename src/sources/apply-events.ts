import type { Tx } from '../db/database.ts';
import { applySignals, isOvertaken, type KeyedServices, OVERTAKEN, type PageSignal } from '../pages/keyed.ts';
import { keyName, lockKeys, openPages } from '../pages/keyed-store.ts';
import { type RequestOutcome, recordOutcomes } from '../pages/outcomes-store.ts';
import type { CallingSource } from '../webhooks/call-store.ts';
import type { Decision, SourceEvent } from './contract.ts';
import { decide } from './decide.ts';
import { type Hold, holdOf, type WindowHold } from './holds.ts';
import {
  deleteWaiting,
  findRecipients,
  findWaiting,
  insertWaiting,
  type NamedRecipient,
  recipientName,
  type WaitingKey,
  type WaitingPage,
  waitingName,
} from './store.ts';

/** One event of a source, and where it came in. */
export type Arrived = {
  organizationId: string;
  teamId: string;
  sourceId: string;
  source: CallingSource;
  /** The request of the call; null for test calls and heartbeats. */
  requestId: string | null;
  /** The position of the event in its call. */
  position: number;
  event: SourceEvent;
  receivedAt: Temporal.Instant;
  /** It was accepted before a failover of the database, and people may have been notified of it. */
  mayRepeat?: boolean;
  /** False when its wait is over, because nothing waits twice for a rule. */
  mayWait: boolean;
};

export type EventServices = KeyedServices & {
  /** There are steps to run. */
  wake(): void;
  /** The maintenance window or silence that holds each of these triggers; null for none. */
  windowsFor?(tx: Tx, at: Temporal.Instant, arrived: readonly Arrived[]): Promise<(WindowHold | null)[]>;
};

export type ArrivedOutcome = Pick<RequestOutcome, 'action' | 'pageId' | 'reason'>;

/** Why an event had its outcome. */
export type Explanation = {
  /** What the settings made of a trigger; null for everything else. */
  decision: Decision | null;
  hold: Hold | null;
  /** The window of the hold. */
  window: WindowHold | null;
};

type Recipients = Awaited<ReturnType<typeof findRecipients>>;

/** What was read before events are applied. */
type Known = {
  /** Names of keys with an open page, and with a waiting one. */
  open: Set<string | symbol>;
  waiting: Map<string | symbol, { triggeredAt: Temporal.Instant | null }>;
  recipients: Recipients;
};

/**
 * Pages people, or changes open pages, as events of sources say, in their order, and records what they did with their
 * requests. Call `afterCommit` after the commit.
 */
export async function applyEvents(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  arrived: readonly Arrived[],
): Promise<{ outcomes: ArrivedOutcome[]; explanations: Explanation[]; afterCommit(): void }> {
  const decisions = arrived.map(({ event, source }) =>
    event.action === 'trigger' ? decide(event, source.settings, source.type) : null,
  );
  await lockKeys(tx, arrived.map(pageKey));
  const windows = (await services.windowsFor?.(tx, at, arrived)) ?? [];
  const plan = new EventPlan(at, await readKnown(tx, arrived, decisions));
  const planned = arrived.map((one, index) =>
    plan.add(one, decisions[index] ?? null, windows[index] ?? null),
  );
  await deleteWaiting(tx, [...plan.noLonger.values()]);
  await insertWaiting(tx, at, [...plan.toWait.values()]);
  const applied = await applySignals(tx, services, at, plan.signals);
  const outcomes = planned.map((one) => ('signal' in one ? outcomeOf(applied.outcomes[one.signal]) : one));
  await recordOutcomes(
    tx,
    arrived.flatMap(({ requestId, organizationId, position }, index) => {
      const outcome = outcomes[index];
      return requestId === null || !outcome ? [] : [{ requestId, organizationId, position, ...outcome }];
    }),
  );
  return {
    outcomes,
    explanations: arrived.map((one, index) => {
      const hold = plan.holds.get(one) ?? null;
      return { decision: decisions[index] ?? null, hold, window: hold && (windows[index] ?? null) };
    }),
    afterCommit() {
      applied.afterCommit();
      if (outcomes.some(({ pageId }) => pageId !== null)) services.wake();
    },
  };
}

function outcomeOf(outcome: ArrivedOutcome | undefined): ArrivedOutcome {
  if (!outcome) throw new Error('A signal to a page has no outcome.');
  return outcome;
}

async function readKnown(
  tx: Tx,
  arrived: readonly Arrived[],
  decisions: readonly (Decision | null)[],
): Promise<Known> {
  const open = await openPages(tx, arrived.map(pageKey));
  const waiting = await findWaiting(tx, arrived.map(waitingKey));
  const recipients = await findRecipients(
    tx,
    arrived.flatMap((one, index) => namedBy(one, decisions[index] ?? null)),
  );
  const isOpen = arrived.filter((one) => open.has(keyName(pageKey(one)) ?? ''));
  return {
    open: new Set(isOpen.map((one) => waitingName(waitingKey(one)))),
    waiting: new Map(waiting.map((one) => [waitingName(one), one])),
    recipients,
  };
}

function pageKey({ organizationId, sourceId, event }: Arrived) {
  return { organizationId, scope: sourceId, dedupKey: event.dedupKey };
}

function waitingKey({ sourceId, event }: Arrived): WaitingKey {
  return { sourceId, dedupKey: event.dedupKey };
}

function namedBy({ organizationId }: Arrived, decision: Decision | null): NamedRecipient[] {
  if (!decision || (decision.team === null && decision.person === null)) return [];
  return [{ organizationId, team: decision.team, person: decision.person }];
}

/** Collects what a run of events does: what to signal to pages, and what waits or waits no longer. */
class EventPlan {
  readonly signals: PageSignal[] = [];
  readonly toWait = new Map<string | symbol, WaitingPage>();
  readonly noLonger = new Map<string | symbol, WaitingKey>();
  readonly holds = new Map<Arrived, Hold>();
  private readonly at: Temporal.Instant;
  private readonly known: Known;

  constructor(at: Temporal.Instant, known: Known) {
    this.at = at;
    this.known = known;
  }

  add(
    one: Arrived,
    decision: Decision | null,
    window: WindowHold | null,
  ): ArrivedOutcome | { signal: number } {
    const name = waitingName(waitingKey(one));
    return decision ? this.trigger(one, name, decision, window) : this.other(one, name);
  }

  private trigger(
    one: Arrived,
    name: string | symbol,
    decision: Decision,
    window: WindowHold | null,
  ): ArrivedOutcome | { signal: number } {
    if (decision.ignored !== null) return ignoredEvent(decision.ignored);
    const { event, source, mayWait } = one;
    const isOpen = this.known.open.has(name);
    const hold = isOpen
      ? null
      : holdOf({ event, settings: source.settings, mayWait }, decision, window, this.at);
    if (hold) {
      this.holds.set(one, hold);
      return 'ignored' in hold ? ignoredEvent(hold.ignored) : this.wait(one, name, hold);
    }
    this.stopWaiting(one, name);
    this.known.open.add(name);
    return this.signal(triggerSignal(one, decision, this.known.recipients));
  }

  private other(one: Arrived, name: string | symbol): ArrivedOutcome | { signal: number } {
    const { action } = one.event;
    if (action === 'trigger') throw new Error('A trigger needs a decision.');
    const { on_acknowledge: onAcknowledge, on_resolve: onResolve } = one.source.settings;
    const ends = action === 'resolve' || (action === 'acknowledge' && onAcknowledge !== 'ignore');
    const newest = this.known.waiting.get(name)?.triggeredAt;
    if (ends && newest && isOvertaken(one.receivedAt, newest, this.at)) return ignoredEvent(OVERTAKEN);
    if (ends && this.stopWaiting(one, name)) return ignoredEvent(BEFORE_IT_PAGED[action]);
    if (action === 'resolve' && onResolve !== 'keep') this.known.open.delete(name);
    return this.signal(otherSignal(one, action));
  }

  private wait(
    one: Arrived,
    name: string | symbol,
    hold: Exclude<Hold, { ignored: string }>,
  ): ArrivedOutcome {
    const { organizationId, sourceId, requestId, position, event } = one;
    const { dueAt, reason } = hold;
    // Nothing is stored for what has no request: heartbeats are checked again, and test calls have had their answer.
    if (requestId === null) return { action: 'waiting', pageId: null, reason: hold.sentence };
    const page = {
      organizationId,
      sourceId,
      requestId,
      position,
      event,
      reason,
      dueAt,
      dedupKey: event.dedupKey,
      triggeredAt: one.receivedAt,
    };
    this.toWait.set(name, page);
    this.known.waiting.set(name, page);
    return { action: 'waiting', pageId: null, reason: hold.sentence };
  }

  /** Whether a page of this key was waiting. */
  private stopWaiting(one: Arrived, name: string | symbol): boolean {
    this.toWait.delete(name);
    if (!this.known.waiting.delete(name)) return false;
    this.noLonger.set(name, waitingKey(one));
    return true;
  }

  private signal(signal: PageSignal): { signal: number } {
    this.signals.push(signal);
    return { signal: this.signals.length - 1 };
  }
}

const BEFORE_IT_PAGED = {
  acknowledge: 'It was acknowledged before the page was due; no page was raised.',
  resolve: 'It was resolved before the page was due; no page was raised.',
} as const;

function ignoredEvent(reason: string): ArrivedOutcome {
  return { action: 'ignored', pageId: null, reason };
}

function otherSignal(one: Arrived, action: 'acknowledge' | 'unacknowledge' | 'resolve'): PageSignal {
  const { on_resolve: onResolve, on_acknowledge: onAcknowledge } = one.source.settings;
  const lineOnly = action === 'resolve' ? onResolve === 'keep' : onAcknowledge === 'ignore';
  return { ...signalOf(one), action, lineOnly };
}

function triggerSignal(one: Arrived, decision: Decision, recipients: Recipients): PageSignal {
  const { event, teamId, sourceId } = one;
  const [named] = namedBy(one, decision);
  const found = named && recipients.get(recipientName(named));
  const unknown =
    named && !found
      ? [`${named.person ?? `team ${named.team}`} does not exist: the source's team is paged`]
      : [];
  return {
    ...signalOf(one),
    action: 'trigger',
    reasons: [...decision.reasons, ...unknown],
    page: {
      requestId: null,
      credential: sourceId,
      recipient: found ?? { teamId },
      mayRepeat: one.mayRepeat ?? false,
      stage: decision.stage,
      title: event.title,
      text: event.text,
      sourceUrl: event.sourceUrl,
      urgency: decision.urgency === 'none' ? 'low' : decision.urgency,
    },
  };
}

function signalOf({ organizationId, sourceId, source, event, receivedAt }: Arrived) {
  const acting = { id: sourceId, name: source.name, as: event.by };
  const key = { organizationId, scope: sourceId, dedupKey: event.dedupKey };
  return { ...key, receivedAt, source: acting, userId: null };
}
