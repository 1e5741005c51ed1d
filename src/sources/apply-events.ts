import type { Tx } from '../db/database.ts';
import { stored } from '../language/contract.ts';
import { applySignals, isOvertaken, type KeyedServices, OVERTAKEN, type PageSignal } from '../pages/keyed.ts';
import {
  keyName,
  lockKeys,
  openPages,
  type RequestOutcome,
  recordOutcomes,
  resolvedByPeople,
} from '../pages/keyed-store.ts';
import type { CallingSource } from '../webhooks/call-store.ts';
import type { CallOrigin } from '../webhooks/health.ts';
import { type Decision, MOST_WAITING, type SourceAction, type SourceEvent } from './contract.ts';
import { decide, mayRaise } from './decide.ts';
import { type Hold, holdOf, type WindowHold } from './holds.ts';
import { keptFacts } from './kept-facts.ts';
import {
  countWaiting,
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
import { noteHeld } from './windows.ts';

/** One event of a source, and the request with which it arrived. */
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
  /** False if its wait has ended, because nothing waits twice for a rule. */
  mayWait: boolean;
  /** It was stored as a waiting page, perhaps longer than its request was kept. */
  waited?: boolean;
};

export type EventServices = KeyedServices & {
  /** There are steps to run. */
  wake(): void;
  /** The maintenance window or silence that holds each of these triggers; null for none. */
  windowsFor(tx: Tx, at: Temporal.Instant, arrived: readonly Arrived[]): Promise<(WindowHold | null)[]>;
  /** Called after the commit for a source whose triggers page at once, because too many of its pages wait. */
  tooManyWaiting(origin: CallOrigin, problem: string): void;
};

export type ArrivedOutcome = Pick<RequestOutcome, 'action' | 'pageId' | 'reason'>;

/** Why an event had its outcome. */
export type Explanation = {
  /** The decision of the settings about a trigger; null for everything else. */
  decision: Decision | null;
  hold: Hold | null;
  /** The window of the hold. */
  window: WindowHold | null;
};

type Recipients = Awaited<ReturnType<typeof findRecipients>>;

/** The data that is read before events are applied. */
type Known = {
  /** Names of keys with an open page, and with a waiting one. */
  open: Set<string | symbol>;
  waiting: Map<string | symbol, { triggeredAt: Temporal.Instant | null }>;
  /** Names of keys whose newest page a person has resolved. Only a trigger that is no edit raises a page of these. */
  decided: Set<string | symbol>;
  /** How many pages of each source wait, for sources whose triggers may have to wait. */
  counts: Map<string, number>;
  recipients: Recipients;
};

/** The fate of an event: an outcome that is already known, or the signal that will give it. */
type Planned = ArrivedOutcome | { signal: number; reason: string | null };

/**
 * Applies the events of sources in order: they page people or change open pages, and the results are recorded with
 * their requests. Call `afterCommit` after the commit.
 */
export async function applyEvents(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  arrived: readonly Arrived[],
): Promise<{ outcomes: ArrivedOutcome[]; explanations: Explanation[]; afterCommit(): void }> {
  const decisions = arrived.map(({ event, source }) =>
    mayRaise(event) ? decide(event, source.settings, source.type) : null,
  );
  await lockKeys(tx, arrived.map(pageKey));
  const windows = await services.windowsFor(tx, at, arrived);
  const possibleHolds = arrived.map((one, index) =>
    possibleHold(one, decisions[index] ?? null, windows[index] ?? null, at),
  );
  const plan = new EventPlan(at, await readKnown(tx, arrived, decisions, possibleHolds));
  const planned = arrived.map((one, index) =>
    plan.add(one, decisions[index] ?? null, possibleHolds[index] ?? null),
  );
  const windowOf = (one: Arrived, index: number) => (plan.holds.has(one) ? (windows[index] ?? null) : null);
  await noteHeld(
    tx,
    at,
    arrived.flatMap((one, index) => {
      const window = windowOf(one, index);
      return window ? [{ ...one, window }] : [];
    }),
  );
  await deleteWaiting(tx, [...plan.noLonger.values()]);
  await insertWaiting(tx, at, [...plan.toWait.values()]);
  const applied = await applySignals(tx, services, at, plan.signals);
  const outcomes = planned.map((one) =>
    'signal' in one ? outcomeOf(applied.outcomes[one.signal], one.reason) : one,
  );
  await recordOutcomes(
    tx,
    arrived.flatMap(({ requestId, organizationId, position }, index) => {
      const outcome = outcomes[index];
      return requestId === null || !outcome ? [] : [{ requestId, organizationId, position, ...outcome }];
    }),
  );
  return {
    outcomes,
    explanations: arrived.map((one, index) => ({
      decision: plan.triggers.has(one) ? (decisions[index] ?? null) : null,
      hold: plan.holds.get(one) ?? null,
      window: windowOf(one, index),
    })),
    afterCommit() {
      applied.afterCommit();
      if (applied.leavesSteps) services.wake();
      for (const { organizationId, sourceId } of plan.tooMany.values())
        services.tooManyWaiting({ organizationId, webhookId: sourceId }, TOO_MANY_PROBLEM);
    },
  };
}

/** The hold for a trigger, unless a page of its key is open; null for everything else. */
function possibleHold(
  { event, source, mayWait }: Arrived,
  decision: Decision | null,
  window: WindowHold | null,
  at: Temporal.Instant,
): Hold | null {
  if (!decision || decision.ignored !== null) return null;
  return holdOf({ event, settings: source.settings, mayWait }, decision, window, at);
}

function outcomeOf(outcome: ArrivedOutcome | undefined, reason: string | null): ArrivedOutcome {
  if (!outcome) throw new Error('A signal to a page has no outcome.');
  return reason === null ? outcome : { ...outcome, reason };
}

async function readKnown(
  tx: Tx,
  arrived: readonly Arrived[],
  decisions: readonly (Decision | null)[],
  holds: readonly (Hold | null)[],
): Promise<Known> {
  const open = await openPages(tx, arrived.map(pageKey));
  const waiting = await findWaiting(tx, arrived.map(waitingKey));
  const recipients = await findRecipients(
    tx,
    arrived.flatMap((one, index) => namedBy(one, decisions[index] ?? null)),
  );
  const continued = arrived.filter(
    ({ event }, index) => decisions[index] && (event.action !== 'trigger' || event.edit),
  );
  const byPeople = await resolvedByPeople(tx, continued.map(pageKey));
  const isDecided = continued.filter((one) => byPeople.has(keyName(pageKey(one)) ?? ''));
  const isOpen = arrived.filter((one) => open.has(keyName(pageKey(one)) ?? ''));
  const mayHaveToWait = arrived.filter((_, index) => {
    const hold = holds[index];
    return hold && !('ignored' in hold);
  });
  return {
    counts: await countWaiting(tx, new Set(mayHaveToWait.map(({ sourceId }) => sourceId))),
    open: new Set(isOpen.map((one) => waitingName(waitingKey(one)))),
    waiting: new Map(waiting.map((one) => [waitingName(one), one])),
    decided: new Set(isDecided.map((one) => waitingName(waitingKey(one)))),
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

/** Collects the results of a run of events: signals for pages, and changes to waiting pages. */
class EventPlan {
  readonly signals: PageSignal[] = [];
  readonly toWait = new Map<string | symbol, WaitingPage>();
  readonly noLonger = new Map<string | symbol, WaitingKey>();
  /** The events that were treated as triggers. */
  readonly triggers = new Set<Arrived>();
  readonly holds = new Map<Arrived, Hold>();
  /** One event of each source that has too many waiting pages. */
  readonly tooMany = new Map<string, Arrived>();
  private readonly at: Temporal.Instant;
  private readonly known: Known;

  constructor(at: Temporal.Instant, known: Known) {
    this.at = at;
    this.known = known;
  }

  /** `hold`: the hold, unless a page of its key is open. */
  add(one: Arrived, decision: Decision | null, hold: Hold | null): Planned {
    const name = waitingName(waitingKey(one));
    const { action } = one.event;
    const { open, waiting, decided } = this.known;
    const isNew = !open.has(name) && !waiting.has(name);
    const mayRaisePage = isNew && !decided.has(name);
    if (one.event.edit && isNew && decided.has(name)) return ignoredEvent(ONLY_EDITS);
    if (action === 'trigger' || (decision && mayRaisePage)) return this.trigger(one, name, decision, hold);
    return this.other(one, name, action);
  }

  private trigger(
    one: Arrived,
    name: string | symbol,
    decision: Decision | null,
    possible: Hold | null,
  ): Planned {
    if (!decision) throw new Error('A trigger needs a decision.');
    this.triggers.add(one);
    if (decision.ignored !== null) return ignoredEvent(decision.ignored);
    const hold = this.known.open.has(name) ? null : possible;
    const tooMany = hold !== null && !('ignored' in hold) && !this.hasRoom(one, name);
    if (hold && !tooMany) {
      this.holds.set(one, hold);
      return 'ignored' in hold ? ignoredEvent(hold.ignored) : this.wait(one, name, hold);
    }
    if (tooMany) this.tooMany.set(one.sourceId, one);
    this.stopWaiting(one, name);
    this.known.open.add(name);
    const signal = triggerSignal(one, decision, this.known.recipients);
    return tooMany
      ? this.signal({ ...signal, reasons: [...signal.reasons, TOO_MANY_WAIT] }, `${TOO_MANY_WAIT}.`)
      : this.signal(signal);
  }

  /**
   * Whether one more page of this source may wait. Pages that already wait keep their place, and triggers that are not
   * stored need none.
   */
  private hasRoom(one: Arrived, name: string | symbol): boolean {
    if (!isStored(one) || this.known.waiting.has(name)) return true;
    return (this.known.counts.get(one.sourceId) ?? 0) < MOST_WAITING;
  }

  private other(one: Arrived, name: string | symbol, action: Exclude<SourceAction, 'trigger'>): Planned {
    const { on_acknowledge: onAcknowledge, on_resolve: onResolve } = one.source.settings;
    const ends = action === 'resolve' || (action === 'acknowledge' && onAcknowledge !== 'ignore');
    const newest = this.known.waiting.get(name)?.triggeredAt;
    if (ends && newest && isOvertaken(one.receivedAt, newest, this.at)) return ignoredEvent(OVERTAKEN);
    const signal = otherSignal(one, action);
    if (ends && this.stopWaiting(one, name)) {
      // No page of its key is open here, but a lifeboat records it for pages that it does not know.
      this.signals.push(signal);
      return ignoredEvent(BEFORE_IT_PAGED[action]);
    }
    if (action === 'resolve' && onResolve !== 'keep') this.known.open.delete(name);
    return this.signal(signal);
  }

  private wait(
    one: Arrived,
    name: string | symbol,
    hold: Exclude<Hold, { ignored: string }>,
  ): ArrivedOutcome {
    const { organizationId, sourceId, requestId, position, event } = one;
    const { dueAt, reason } = hold;
    if (!isStored(one)) return { action: 'waiting', pageId: null, reason: hold.sentence };
    const newest = this.known.waiting.get(name)?.triggeredAt;
    if (newest && isOvertaken(one.receivedAt, newest, this.at))
      return { action: 'waiting', pageId: null, reason: hold.sentence };
    const page = {
      organizationId,
      sourceId,
      requestId,
      position,
      event: { ...event, action: 'trigger' as const },
      reason,
      dueAt,
      dedupKey: event.dedupKey,
      triggeredAt: one.receivedAt,
      mayRepeat: one.mayRepeat ?? false,
    };
    if (!this.known.waiting.has(name)) this.count(sourceId, 1);
    this.toWait.set(name, page);
    this.known.waiting.set(name, page);
    return { action: 'waiting', pageId: null, reason: hold.sentence };
  }

  /** Whether a page of this key was waiting. */
  private stopWaiting(one: Arrived, name: string | symbol): boolean {
    this.toWait.delete(name);
    if (!this.known.waiting.delete(name)) return false;
    this.noLonger.set(name, waitingKey(one));
    this.count(one.sourceId, -1);
    return true;
  }

  private count(sourceId: string, change: 1 | -1): void {
    this.known.counts.set(sourceId, (this.known.counts.get(sourceId) ?? 0) + change);
  }

  private signal(signal: PageSignal, reason: string | null = null): Planned {
    this.signals.push(signal);
    return { signal: this.signals.length - 1, reason };
  }
}

/**
 * Whether a trigger is stored while it waits. Others have no request: heartbeats are checked again, and test calls have
 * had their answer.
 */
function isStored({ requestId, waited = false }: Arrived): boolean {
  return requestId !== null || waited;
}

const TOO_MANY_WAIT = stored(
  'It pages at once instead of waiting, because {most} pages of this source are already waiting',
  { most: MOST_WAITING },
);

const TOO_MANY_PROBLEM = stored(
  '{most} of its pages are waiting for a rule, for its hours or for the end of a maintenance window, so further pages that would wait are raised at once.',
  { most: MOST_WAITING },
);

const BEFORE_IT_PAGED = {
  acknowledge: stored('It was acknowledged before the page was due; no page was raised.'),
  resolve: stored('It was resolved before the page was due; no page was raised.'),
} as const;

/** Whether an ignored event ended a page that waited, which its reason tells. */
export function endedBeforePaging({ action, reason }: Pick<ArrivedOutcome, 'action' | 'reason'>): boolean {
  return (
    action === 'ignored' && (reason === BEFORE_IT_PAGED.acknowledge || reason === BEFORE_IT_PAGED.resolve)
  );
}

const ONLY_EDITS = stored(
  'A person has resolved its page, and this call only edits the issue, so no page was raised.',
);

function ignoredEvent(reason: string): ArrivedOutcome {
  return { action: 'ignored', pageId: null, reason };
}

function otherSignal(one: Arrived, action: Exclude<SourceAction, 'trigger'>): PageSignal {
  const { on_resolve: onResolve, on_acknowledge: onAcknowledge } = one.source.settings;
  const lineOnly = action === 'resolve' ? onResolve === 'keep' : onAcknowledge === 'ignore';
  return { ...signalOf(one), action, lineOnly };
}

function triggerSignal(
  one: Arrived,
  decision: Decision,
  recipients: Recipients,
): PageSignal & { action: 'trigger' } {
  const { event, teamId, sourceId } = one;
  const [named] = namedBy(one, decision);
  const found = named && recipients.get(recipientName(named));
  const unknown =
    named && !found
      ? [
          stored("{name} does not exist: the source's team is paged", {
            name: named.person ?? stored('team {team}', { team: named.team ?? '' }),
          }),
        ]
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
      facts: keptFacts(event),
    },
  };
}

function signalOf({ organizationId, sourceId, source, event, receivedAt }: Arrived) {
  const acting = { id: sourceId, name: source.name, as: event.by };
  const key = { organizationId, scope: sourceId, dedupKey: event.dedupKey };
  const sentAt = event.inOrder ? event.at : null;
  return { ...key, receivedAt, sentAt, source: acting, userId: null };
}
