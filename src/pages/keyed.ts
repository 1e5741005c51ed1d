import { randomInt } from 'node:crypto';
import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { newId } from '../kit/typeid.ts';
import { stored } from '../language/contract.ts';
import { type ActionServices, acknowledgePage, resolvePage } from './actions.ts';
import type { Actor } from './actor.ts';
import type { ActingSource } from './event-contract.ts';
import { type FirstStepServices, writeWithFirstSteps } from './first-steps.ts';
import {
  addRepetitions,
  endedLately,
  insertKeyedPages,
  keyName,
  lockKeys,
  type NewestTrigger,
  type NewKeyedPage,
  newestTriggers,
  newKeyedPage,
  noteEnd,
  noteTriggers,
  openPages,
  type PageKey,
  pagesBefore,
  type Repetition,
} from './keyed-store.ts';
import { raiseUrgency } from './raised-urgency.ts';
import { unacknowledgePage } from './reopening.ts';
import type { PageRow } from './store.ts';
import { URGENCIES, type Urgency } from './urgency-contract.ts';

/**
 * An event about the page of one dedup key (page sources, section 3). Within an organization, `scope` and `dedupKey` name at
 * most one open page; without a key, every trigger raises a page.
 */
export type PageSignal = {
  organizationId: string;
  /** The id of a source, or the recipient of a page that the API raised with a dedup key. */
  scope: string;
  dedupKey: string | null;
  /** When the event was received. Events from several nodes may be applied in another order. */
  receivedAt: Temporal.Instant;
  /**
   * The sender's time of the event, if that is exact enough to recognize triggers that arrive after the end of their
   * problem.
   */
  sentAt?: Temporal.Instant | null;
  /** Null if a program or person acts through the API. */
  source: ActingSource | null;
  /** The person whose API key raised it; null for sources. */
  userId: string | null;
} & (
  | { action: 'trigger'; page: SignalledPage; reasons: readonly string[] }
  | {
      action: 'acknowledge' | 'unacknowledge' | 'resolve';
      /** Adds a line to the timeline without changing the page. */
      lineOnly: boolean;
    }
);

/** The page that a trigger raises if none is open. */
export type SignalledPage = {
  /** The request of the page itself. Null creates one, because the request of the event belongs to the event. */
  requestId: string | null;
  /** The credential in idempotency and in the list of requests. */
  credential: string;
  recipient: { teamId: string } | { userId: string };
  /** The stage to begin with; null: the lowest. */
  stage: number | null;
  /** It was accepted before a failover of the database, and people may have been notified of it. */
  mayRepeat?: boolean;
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  /** Additional information from a page source; null for programs and people. */
  facts: PageFacts | null;
};

/** The part of its newest trigger that a page keeps, so that silences can match it. */
export type PageFacts = {
  /** The sender's word. */
  severity: string | null;
  /** The originating system as the sender names it. */
  source: string | null;
  labels: readonly string[];
};

export type SignalOutcome = {
  action: 'raised' | 'updated' | 'acknowledged' | 'resolved' | 'ignored';
  pageId: string | null;
  /** The reason why it was ignored, as a sentence; null otherwise. */
  reason: string | null;
};

export type KeyedServices = ActionServices &
  FirstStepServices & {
    /** A lifeboat records answers for open pages of the same keys that only other databases know. */
    noteAnswers?(tx: Tx, answers: readonly PageSignal[]): Promise<void>;
    /**
     * In the main database: applies what lifeboats were sent for these keys while their triggers waited for it. Call the result
     * after the commit.
     */
    applyNoted?(tx: Tx, keys: readonly PageKey[]): Promise<() => void>;
  };

/**
 * Applies events to pages, in their order. Locks each key until the end of the transaction, so that one key never has
 * two open pages; the unique index `pages_open_key` also guarantees this. The first steps of new pages run at once if
 * this process can run them. Call `afterCommit` after the commit, and wake the workers if `leavesSteps`.
 */
export async function applySignals(
  tx: Tx,
  services: KeyedServices,
  at: Temporal.Instant,
  signals: readonly PageSignal[],
): Promise<{ outcomes: SignalOutcome[]; leavesSteps: boolean; afterCommit(): void }> {
  await lockKeys(tx, signals);
  const ended = await endedLately(tx, signals.filter(isDatedTrigger), at.subtract(LATE_WITHIN));
  const work = new SignalWork(tx, services, at, { open: await openPages(tx, signals), ended });
  const outcomes: SignalOutcome[] = [];
  for (const signal of signals) outcomes.push(await work.apply(signal));
  await work.finish();
  await services.noteAnswers?.(
    tx,
    signals.filter((signal, index) => mayConcernOthers(signal, outcomes[index])),
  );
  const answerable = signals.filter((signal, index) => mayBeAnswered(signal, outcomes[index], at));
  const noted = await services.applyNoted?.(tx, answerable);
  return {
    outcomes,
    leavesSteps: work.leavesSteps || answerable.length > 0,
    afterCommit() {
      work.send();
      noted?.();
    },
  };
}

/**
 * Whether an answer may concern a page that this database does not know. A resolution ends all pages of its key until
 * then. An acknowledgement is for one page, which may have been found.
 */
function mayConcernOthers(signal: PageSignal, outcome: SignalOutcome | undefined): boolean {
  if (signal.dedupKey === null || signal.action === 'trigger' || signal.lineOnly) return false;
  return signal.action === 'resolve' || outcome?.pageId === null;
}

/** Whether lifeboats may have landed since a trigger was received, and with them an answer to it. */
function mayBeAnswered(
  signal: PageSignal,
  outcome: SignalOutcome | undefined,
  at: Temporal.Instant,
): boolean {
  if (signal.action !== 'trigger' || signal.dedupKey === null || !outcome?.pageId) return false;
  return isOld(signal, at);
}

/** Whether a trigger is so old that lifeboats may have landed since it was received. */
function isOld({ receivedAt }: { receivedAt: Temporal.Instant }, at: Temporal.Instant): boolean {
  return isBefore(receivedAt, at.subtract(LANDS_NOT_BEFORE));
}

/** One run of `applySignals`: collects what can be written together. */
class SignalWork {
  private readonly tx: Tx;
  private readonly services: KeyedServices;
  private readonly at: Temporal.Instant;
  /** The open page of each key, by `keyName`. */
  private readonly open: Map<string, PageRow>;
  /** The sender's time of the end of recently resolved keys, by `keyName`. */
  private readonly ended: Map<string, Temporal.Instant>;
  private raised: NewKeyedPage[] = [];
  /** Names of keys whose pages were written here and are not yet in `open`. */
  private readonly unread = new Set<string>();
  private readonly repeated = new Map<string, Repetition>();
  /** When the newest trigger of each page was received, by the page's id. */
  private readonly triggered = new Map<string, Temporal.Instant>();
  private readonly unwritten = new Map<string, NewestTrigger>();
  private readonly later: (() => void)[] = [];
  /** Whether steps may be due at once. */
  leavesSteps = false;

  constructor(
    tx: Tx,
    services: KeyedServices,
    at: Temporal.Instant,
    { open, ended }: { open: Map<string, PageRow>; ended: Map<string, Temporal.Instant> },
  ) {
    this.tx = tx;
    this.services = services;
    this.at = at;
    this.open = open;
    this.ended = ended;
  }

  async apply(signal: PageSignal): Promise<SignalOutcome> {
    const name = keyName(signal);
    const raisedNow = name === null ? undefined : this.raised.find((one) => keyName(one) === name);
    if (raisedNow) {
      if (signal.action === 'trigger' && !risesAbove(signal.page.urgency, raisedNow.urgency))
        return this.repeat(raisedNow, signal);
      await this.flush();
    }
    if (name !== null && this.unread.delete(name))
      for (const [key, row] of await openPages(this.tx, [signal])) this.open.set(key, row);
    const page = name === null ? undefined : this.open.get(name);
    if (page) return this.change(page, signal);
    if (signal.action === 'trigger') return this.hasEnded(signal, name) ? AFTER_ITS_END : this.raise(signal);
    return { action: 'ignored', pageId: null, reason: NONE_OPEN[signal.action] };
  }

  /** Whether the sender has ended the problem since it sent this trigger, which it had to retry. */
  private hasEnded({ sentAt }: PageSignal, name: string | null): boolean {
    const end = name === null ? undefined : this.ended.get(name);
    return end !== undefined && sentAt instanceof Temporal.Instant && isBefore(sentAt, end);
  }

  private isLate(page: PageRow, { receivedAt }: PageSignal): boolean {
    const triggers = [this.triggered.get(page.id), page.lastTriggerAt].filter(
      (at) => at instanceof Temporal.Instant,
    );
    return triggers.some((newest) => isOvertaken(receivedAt, newest, this.at));
  }

  private async change(page: PageRow, signal: PageSignal): Promise<SignalOutcome> {
    if (signal.action === 'trigger') {
      if (!risesAbove(signal.page.urgency, page.urgency)) return this.repeat(page, signal);
      this.noteTrigger(page.id, signal);
      await this.flush();
      const { page: urgent, send } = await raiseUrgency(this.tx, this.services, page, {
        at: this.at,
        urgency: signal.page.urgency,
        reasons: signal.reasons,
        source: signal.source,
      });
      this.later.push(send);
      this.leavesSteps = true;
      this.keep(signal, urgent);
      return { action: 'updated', pageId: page.id, reason: null };
    }
    if (signal.lineOnly) return this.repeat(page, signal);
    if (this.isLate(page, signal)) {
      if (signal.action === 'resolve' && isAnsweredBefore(page, signal.receivedAt))
        return this.startOver(page, signal);
      return { action: 'ignored', pageId: page.id, reason: OVERTAKEN };
    }
    await this.flush();
    if (signal.action === 'resolve') return this.resolve(page, signal);
    return signal.action === 'acknowledge'
      ? this.acknowledge(page, signal)
      : this.unacknowledge(page, signal);
  }

  /** A source takes back only its own acknowledgement, never a person's decision. */
  private async unacknowledge(page: PageRow, signal: PageSignal): Promise<SignalOutcome> {
    const own = signal.source !== null && page.acknowledgedBySource === signal.source.id;
    if (page.state !== 'acknowledged' || !own)
      return {
        action: 'ignored',
        pageId: page.id,
        reason: stored('A source can only take back its own acknowledgement.'),
      };
    await unacknowledgePage(this.inside(), page.id, actorOf(signal));
    this.leavesSteps = true;
    this.keep(signal, { ...page, state: 'notifying', acknowledgedBySource: null });
    return { action: 'updated', pageId: page.id, reason: null };
  }

  private async acknowledge(page: PageRow, signal: PageSignal): Promise<SignalOutcome> {
    if (page.state !== 'notifying') return this.repeat(page, signal);
    const { outcome } = await acknowledgePage(this.inside(), page.id, actorOf(signal));
    if (outcome !== 'done') return this.repeat(page, signal);
    this.keep(signal, { ...page, state: 'acknowledged', acknowledgedBySource: signal.source?.id ?? null });
    return { action: 'acknowledged', pageId: page.id, reason: null };
  }

  private async resolve(page: PageRow, signal: PageSignal): Promise<SignalOutcome> {
    const { outcome } = await resolvePage(this.inside(), page.id, actorOf(signal));
    if (outcome !== 'done') return this.repeat(page, signal);
    const { send } = await this.services.notifier.allClear(this.tx, page.id, this.at);
    this.later.push(send);
    const name = keyName(signal) ?? '';
    this.open.delete(name);
    if (signal.sentAt) {
      await noteEnd(this.tx, page.id, signal.sentAt);
      this.ended.set(name, signal.sentAt);
    }
    return { action: 'resolved', pageId: page.id, reason: null };
  }

  /**
   * Ends a page that was triggered again after this resolution and before it was processed, and raises another one for
   * that trigger, because the page was acknowledged before the resolution.
   */
  private async startOver(page: PageRow, signal: PageSignal): Promise<SignalOutcome> {
    await this.flush();
    const [trigger] = await newestTriggers(this.tx, [page.id]);
    const outcome = await this.resolve(page, signal);
    if (trigger && outcome.action === 'resolved') this.raise(trigger);
    return outcome;
  }

  private raise(signal: PageSignal & { action: 'trigger' }): SignalOutcome {
    const { title, text, sourceUrl, urgency, facts, credential, stage, recipient, requestId } = signal.page;
    const page: NewKeyedPage = {
      id: newId('page'),
      requestId: requestId ?? newId('request'),
      ownRequest: requestId === null,
      replyCode: String(randomInt(1_000, 10_000)),
      mayRepeat: signal.page.mayRepeat ?? false,
      ...{ organizationId: signal.organizationId, dedupKey: signal.dedupKey, source: signal.source },
      ...{ scope: signal.scope, reasons: signal.reasons, userId: signal.userId },
      ...{ title, text, sourceUrl, urgency, facts, credential, stage, recipient },
      receivedAt: signal.receivedAt,
    };
    this.raised.push(page);
    return { action: 'raised', pageId: page.id, reason: null };
  }

  /** Counts an event that changes nothing, for one line in the timeline. */
  private repeat(page: { id: string; organizationId: string }, signal: PageSignal): SignalOutcome {
    const name = `${page.id} ${signal.action}`;
    const { id, organizationId } = page;
    if (signal.action === 'trigger') this.noteTrigger(id, signal);
    const { action, source } = signal;
    const count = (this.repeated.get(name)?.count ?? 0) + 1;
    this.repeated.set(name, {
      page: { id, organizationId },
      action,
      count,
      until: instantText(this.at),
      source,
    });
    return { action: 'updated', pageId: page.id, reason: null };
  }

  private noteTrigger(
    pageId: string,
    { receivedAt, page: { facts } }: PageSignal & { action: 'trigger' },
  ): void {
    const newest = this.triggered.get(pageId);
    if (newest && !isBefore(newest, receivedAt)) return;
    this.triggered.set(pageId, receivedAt);
    this.unwritten.set(pageId, { receivedAt, facts });
  }

  private keep(signal: PageSignal, page: PageRow): void {
    const name = keyName(signal);
    if (name !== null) this.open.set(name, page);
  }

  private inside(): KeyedServices {
    return { ...this.services, inside: { tx: this.tx, afterCommit: (work) => this.later.push(work) } };
  }

  /** Writes the pages and repetitions that were collected. Nothing that follows concerns these pages, so their first steps can run. */
  async finish(): Promise<void> {
    const raised = this.raised;
    // A lifeboat may know an answer to an old trigger, and a page that is written again may have notified people.
    if (raised.length === 0 || raised.some((page) => page.mayRepeat || isOld(page, this.at)))
      return this.flush();
    this.raised = [];
    const before = await pagesBefore(this.tx, raised);
    const beginning = raised.map((page) => ({ page: newKeyedPage(page, this.at), stage: page.stage }));
    const run = await writeWithFirstSteps(this.tx, this.services, beginning, {
      at: this.at,
      write: (tx, steps) => insertKeyedPages(tx, { at: this.at, pages: raised, before, steps }),
    });
    this.leavesSteps ||= run?.followedAtOnce ?? true;
    if (run) this.later.push(run.send);
    await this.flush();
  }

  /** Writes the pages and repetitions that were collected, while more events may follow for these pages. */
  async flush(): Promise<void> {
    const raised = this.raised;
    this.raised = [];
    if (raised.length > 0) {
      const before = await pagesBefore(this.tx, raised);
      await insertKeyedPages(this.tx, { at: this.at, pages: raised, before, steps: null });
      this.leavesSteps = true;
    }
    for (const page of raised) {
      const name = keyName(page);
      if (name !== null) this.unread.add(name);
    }
    const repeated = [...this.repeated.values()];
    this.repeated.clear();
    await addRepetitions(this.tx, this.at, repeated);
    await noteTriggers(this.tx, this.unwritten);
    this.unwritten.clear();
  }

  send(): void {
    for (const work of this.later) work();
  }
}

export const OVERTAKEN = stored(
  'A trigger of this dedup key that was received later had been processed already, so the page stays as it is.',
);

/** Lifeboats land when the main database has taken writes for longer than this, which saves a query for prompt triggers. */
const LANDS_NOT_BEFORE = { seconds: 2 };

/** How long senders retry a call that they could not deliver, with some reserve. */
const LATE_WITHIN = { minutes: 5 };

const AFTER_ITS_END: SignalOutcome = {
  action: 'ignored',
  pageId: null,
  reason: stored('Its sender had resolved this problem after it sent this trigger, so no page was raised.'),
};

function isDatedTrigger({ action, sentAt }: PageSignal): boolean {
  return action === 'trigger' && sentAt instanceof Temporal.Instant;
}

const NONE_OPEN = {
  acknowledge: stored('No open page has this dedup key, so there was nothing to acknowledge.'),
  unacknowledge: stored('No open page has this dedup key, so there was no acknowledgement to take back.'),
  resolve: stored('No open page has this dedup key, so there was nothing to resolve.'),
} as const;

function actorOf({ source, userId }: PageSignal): Actor {
  return source ? { userId: null, via: 'source', source } : { userId, via: 'api' };
}

/**
 * Whether a later trigger has already been applied, because an older event must not end what the later one began. A
 * trigger from the future means that the database's clock was set back, and says nothing about the order.
 */
export function isOvertaken(
  receivedAt: Temporal.Instant,
  newestTriggerAt: Temporal.Instant,
  now: Temporal.Instant,
): boolean {
  return isBefore(receivedAt, newestTriggerAt) && !isBefore(now, newestTriggerAt);
}

/** Whether somebody acknowledged this page, or its source did, before this time. */
export function isAnsweredBefore({ state, acknowledgedAt }: PageRow, at: Temporal.Instant): boolean {
  return state === 'acknowledged' && acknowledgedAt !== null && isBefore(acknowledgedAt, at);
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

/** `URGENCIES` goes from the lowest to the highest. */
function risesAbove(urgency: Urgency, current: Urgency): boolean {
  return URGENCIES.indexOf(urgency) > URGENCIES.indexOf(current);
}
