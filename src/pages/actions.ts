import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { stored } from '../language/contract.ts';
import type { Means } from '../people/reachability.ts';
import { requestsFinished } from '../requests/store.ts';
import { acknowledgementEnd } from './acknowledge-timeout.ts';
import { type Actor, acted } from './actor.ts';
import type { PageState } from './contract.ts';
import { decideTeamStep, personGraceMs, type Recipient } from './escalation.ts';
import type { Notifier } from './notifier.ts';
import { cancelSteps, putOffEnd } from './step-store.ts';
import {
  addEvent,
  isAddedSince,
  lockPage,
  markAcknowledged,
  markResolved,
  type PageRow,
  pageHandledBy,
} from './store.ts';
import { readEscalation } from './team-escalation.ts';
import { nextState } from './transitions.ts';

export type ActionServices = {
  db: Database;
  clock: Clock;
  notifier: Notifier;
  /** The caller's transaction, if it has one. `afterCommit` collects work for the time after its commit. */
  inside?: { tx: Tx; afterCommit(work: () => void): void };
};

export type ActionResult =
  | { outcome: 'done'; page: PageRow }
  /** The page was already answered or has expired; `by` and `at` say who answered and when. */
  | { outcome: 'unchanged'; page: PageRow; state: PageState; by: string | null; at: Temporal.Instant | null }
  | { outcome: 'unknown' };

/** Stops the escalation and cancels every unsent delivery. */
export async function acknowledgePage(
  services: ActionServices,
  pageId: string,
  actor: Actor,
): Promise<ActionResult> {
  const { userId } = actor;
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'acknowledge')) {
      if (page.state === 'expired')
        await addEvent(tx, page, { at, kind: 'answered_late', userId, data: acted(actor) });
      return (
        page.state === 'acknowledged' && userId !== null && join(tx, services, page, { ...actor, userId }, at)
      );
    }
    const remindAt = await acknowledgementEnd(tx, page, at);
    await markAcknowledged(tx, page.id, at, actor, remindAt);
    await stop(tx, services, page, at);
    await requestAnswered(tx, page, at, 'acknowledged');
    await addEvent(tx, page, {
      at,
      kind: 'acknowledged',
      userId,
      data: { ...acted(actor), from: page.state },
    });
    return true;
  });
}

/** A person who was added to an acknowledged page answers: their unsent deliveries are cancelled. False when they were not added. */
async function join(
  tx: Tx,
  services: ActionServices,
  page: PageRow,
  actor: Actor & { userId: string },
  at: Temporal.Instant,
): Promise<boolean> {
  const { userId } = actor;
  if (!(await isAddedSince(tx, page, userId))) return false;
  await services.notifier.cancel(tx, page.id, at, { userId });
  await addEvent(tx, page, { at, kind: 'joined', userId, data: acted(actor) });
  return true;
}

export async function resolvePage(
  services: ActionServices,
  pageId: string,
  actor: Actor,
): Promise<ActionResult> {
  const { userId } = actor;
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'resolve')) return false;
    await markResolved(tx, page.id, at, actor);
    await stop(tx, services, page, at);
    await requestAnswered(tx, page, at, 'resolved');
    await addEvent(tx, page, { at, kind: 'resolved', userId, data: { ...acted(actor), from: page.state } });
    if (userId !== null) await services.notifier.quietAllClear(tx, page.id, at);
    return true;
  });
}

/**
 * Notifies more people at once. The escalation continues, and an acknowledged page stays acknowledged. A page does not expire before
 * they have had the usual time to answer. `unchanged` if the page has ended or has already notified all of them by hand in its round.
 */
export async function addResponders(
  services: ActionServices,
  pageId: string,
  userIds: readonly string[],
  actor: Actor,
): Promise<ActionResult> {
  const why = { reason: 'added by hand', by: actor.userId };
  return addRecipients(services, pageId, actor, async () =>
    userIds.map((userId) => ({ userId, kind: 'added', stage: null, why })),
  );
}

/**
 * Notifies the people whom a page of another team would notify first. The page stays with its own team, whose
 * escalation continues. `unchanged` if the page has ended, that team has nobody to notify, or all of them were already added.
 */
export async function addTeam(
  services: ActionServices & { means: Means },
  pageId: string,
  teamId: string,
  actor: Actor,
): Promise<ActionResult> {
  return addRecipients(services, pageId, actor, async (tx, page, at) => {
    const team = { organizationId: page.organizationId, teamId };
    const escalation = await readEscalation(tx, services.means, team, at);
    const first = { kind: 'stage', stage: null, round: page.round } as const;
    return decideTeamStep(first, page.urgency, escalation).notify.map((one) => ({
      ...one,
      kind: 'added',
      stage: null,
    }));
  });
}

async function addRecipients(
  services: ActionServices,
  pageId: string,
  actor: Actor,
  recipientsOf: (tx: Tx, page: PageRow, at: Temporal.Instant) => Promise<Recipient[]>,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at, after) => {
    if (page.state !== 'notifying' && page.state !== 'acknowledged') return false;
    const recipients = await recipientsOf(tx, page, at);
    if (recipients.length === 0) return false;
    const started = await services.notifier.start(tx, [{ page, recipients, type: 'page.notification' }], at);
    after(started.send);
    const [run] = started.runs;
    if (!run || run.userIds.length === 0) return false;
    if (run.canAnswer)
      await putOffEnd(tx, page.id, at.add({ milliseconds: run.lastAfterMs + personGraceMs(page.urgency) }));
    const people = recipients.map(({ userId }) => userId);
    await addEvent(tx, page, { at, kind: 'added', userId: actor.userId, data: { people, ...acted(actor) } });
    return true;
  });
}

export async function commentOnPage(
  services: ActionServices,
  pageId: string,
  { userId, source }: Pick<Actor, 'userId' | 'source'>,
  text: string,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    await addEvent(tx, page, { at, kind: 'comment', userId, data: source ? { text, source } : { text } });
    return true;
  });
}

type Change = (
  tx: Tx,
  page: PageRow,
  at: Temporal.Instant,
  after: (work: () => void) => void,
) => Promise<boolean>;

/** Runs a change of one page in a transaction that locks its row. */
export async function act(services: ActionServices, pageId: string, change: Change): Promise<ActionResult> {
  const afterCommit: (() => void)[] = [];
  const run = async (tx: Tx, after: (work: () => void) => void): Promise<ActionResult> => {
    const page = await lockPage(tx, pageId);
    if (!page) return { outcome: 'unknown' };
    const at = await services.clock.now(tx);
    const changed = await change(tx, page, at, after);
    if (changed) return { outcome: 'done', page };
    return { outcome: 'unchanged', page, state: page.state, ...(await pageHandledBy(tx, page.id)) };
  };
  const { inside } = services;
  if (inside) return run(inside.tx, inside.afterCommit);
  const result = await services.db.transaction().execute((tx) => run(tx, (work) => afterCommit.push(work)));
  for (const work of afterCommit) work();
  return result;
}

async function stop(tx: Tx, services: ActionServices, page: PageRow, at: Temporal.Instant): Promise<void> {
  await cancelSteps(tx, page.id, at);
  await services.notifier.cancel(tx, page.id, at);
}

/**
 * An answered page has reached somebody, so its request succeeds even if no provider has accepted a notification yet.
 */
function requestAnswered(
  tx: Tx,
  page: PageRow,
  at: Temporal.Instant,
  how: 'acknowledged' | 'resolved',
): Promise<void> {
  const message =
    how === 'acknowledged'
      ? stored('The page was acknowledged before a provider accepted a notification.')
      : stored('The page was resolved before a provider accepted a notification.');
  return requestsFinished(tx, at, [{ id: page.requestId, status: 'succeeded', message, error: null }]);
}
