import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { stored } from '../language/contract.ts';
import { lockPage, type PageRow } from '../pages/store.ts';
import { personUnreachable } from '../pages/unreachable.ts';
import { findNotifiable } from '../people/contact-store.ts';
import { planFallback } from '../people/rules.ts';
import { addressForPrograms } from '../people/short-address.ts';
import { requestError, requestsRetrying } from '../requests/store.ts';
import { retryDelayMs } from './backoff.ts';
import type { Outcome } from './channels/channel.ts';
import { decideFailover } from './failover.ts';
import {
  failBundled,
  failUnclaimedBrowser,
  failureCount,
  findBundled,
  findUnclaimedBrowsers,
  markUndelivered,
  type Outgoing,
  recordFailure,
} from './outcome-store.ts';
import {
  awaits,
  findFailed,
  findRun,
  hastenDeliveries,
  insertDeliveries,
  isDisabled,
  markUnreachable,
  unbundle,
} from './store.ts';

type Failure = Exclude<Outcome, { kind: 'accepted' }>;

/**
 * Records a failed attempt and decides in one transaction what follows: a retry on the same channel, the next channel
 * at once, or that the person is unreachable. Returns false if this node had lost the lease; its result is then
 * ignored.
 */
export async function recordFailedAttempt(
  db: Database,
  clock: Clock,
  sent: Outgoing,
  failure: Failure,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Lock the page first, as everywhere, so that transactions cannot deadlock.
    const page = await lockPage(tx, sent.pageId);
    if (!page) return false;
    const at = await clock.now(tx);
    const open = (await awaits(tx, page, sent)) && !(await isDisabled(tx, sent.userId));
    const again = failure.kind === 'retry' && open ? await nextAttemptAt(tx, sent, failure, at) : null;
    const state = again ? 'retrying' : open || failure.kind === 'refused' ? 'failed' : 'cancelled';
    const held = { deliveryId: sent.deliveryId, attempt: sent.attempt, node: sent.node };
    const repeat = failure.kind === 'retry' && failure.maybeSent;
    const recorded = await recordFailure(
      tx,
      held,
      { state, error: failure.error, outcome: failure.kind, repeat, dueAt: again },
      at,
    );
    if (!recorded) return false;
    await recordOnRequest(tx, page, sent, failure, again, at);
    if (state === 'cancelled') await unbundle(tx, [sent.deliveryId], at);
    if (state === 'failed') await failOverBundled(tx, sent, failure.error, at);
    // The retry is for them as well, and does not hold up their next channels.
    if (again) await failOverEach(tx, await findBundled(tx, sent.deliveryId), sent.userId, at);
    if (open) await failOver(tx, page, sent, at);
    return true;
  });
}

/** Applies a receipt of “not delivered” that arrived before the provider's acceptance was recorded. */
export async function recordUndelivered(db: Database, clock: Clock, sent: Outgoing): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const page = await lockPage(tx, sent.pageId);
    const at = await clock.now(tx);
    if (!page || !(await markUndelivered(tx, sent.deliveryId, at))) return;
    await failOverBundled(tx, sent, NOT_DELIVERED, at);
    if (await awaits(tx, page, sent)) await failOver(tx, page, sent, at);
  });
}

/** For failures without a reason. */
export const NOT_DELIVERED = stored('The provider could not deliver it.');

/** Fails over to the next channel for dashboards that were closed before they could show the notification. */
export async function giveUpClosedDashboards(db: Database, clock: Clock): Promise<void> {
  for (const { pageId, deliveryId } of await findUnclaimedBrowsers(db, clock)) {
    await db.transaction().execute(async (tx) => {
      const page = await lockPage(tx, pageId);
      const at = await clock.now(tx);
      const abandoned = page && (await failUnclaimedBrowser(tx, deliveryId, at));
      if (abandoned && (await awaits(tx, page, abandoned))) await failOver(tx, page, abandoned, at);
    });
  }
}

async function nextAttemptAt(
  tx: Tx,
  sent: Outgoing,
  failure: Extract<Failure, { kind: 'retry' }>,
  at: Temporal.Instant,
): Promise<Temporal.Instant> {
  const failures = (await failureCount(tx, sent.deliveryId)) + 1;
  return at.add({ milliseconds: retryDelayMs(failures, failure.retryAfterMs, Math.random()) });
}

async function recordOnRequest(
  tx: Tx,
  page: PageRow,
  sent: Outgoing,
  failure: Failure,
  again: Temporal.Instant | null,
  at: Temporal.Instant,
): Promise<void> {
  if (sent.type === 'page.expired' || sent.channel === 'browser') return;
  const message = `${sent.channel} to ${addressForPrograms(sent.channel, sent.address)}: ${failure.error}`;
  if (again) await requestsRetrying(tx, [page.requestId], at, message, again);
  else await requestError(tx, page.requestId, at, message);
}

/** Fails over the notifications that were bundled into a message that was not delivered. */
export async function failOverBundled(
  tx: Tx,
  { deliveryId, userId }: Pick<Outgoing, 'deliveryId' | 'userId'>,
  error: string,
  at: Temporal.Instant,
): Promise<void> {
  await failOverEach(tx, await failBundled(tx, deliveryId, error, at), userId, at);
}

async function failOverEach(
  tx: Tx,
  bundled: readonly Pick<Outgoing, 'responderId' | 'pageId' | 'type'>[],
  userId: string,
  at: Temporal.Instant,
): Promise<void> {
  for (const { pageId, ...run } of bundled) {
    const page = await lockPage(tx, pageId);
    if (page && (await awaits(tx, page, run))) await failOver(tx, page, { ...run, userId }, at);
  }
}

/** The run of a person's rules to which a delivery belongs. */
type RunOfPerson = Pick<Outgoing, 'responderId' | 'userId' | 'type'>;

/** Decides what follows in a person's run when one of its deliveries failed. The caller has locked the page. */
export async function failOver(
  tx: Tx,
  page: PageRow,
  failed: RunOfPerson,
  at: Temporal.Instant,
): Promise<void> {
  const { responderId, userId, type } = failed;
  const run = await findRun(tx, responderId);
  const fallback = await untried(tx, page, userId, run);
  const decision = decideFailover(run, fallback.length === 0, at);
  if (decision.kind === 'hasten') await hastenDeliveries(tx, decision.deliveryIds, at);
  if (decision.kind === 'fall-back') await insertFallback(tx, page, failed, fallback, at);
  if (decision.kind === 'unreachable') {
    await markUnreachable(tx, responderId, at);
    if (type === 'page.notification') await personUnreachable(tx, page.id, responderId, at);
  }
}

/** Fails over the notifications of a page that failed at `since` or later, while it was answered. */
export async function failOverSince(
  tx: Tx,
  pageId: string,
  since: Temporal.Instant,
  at: Temporal.Instant,
): Promise<void> {
  const page = await lockPage(tx, pageId);
  if (!page) return;
  for (const failed of await findFailed(tx, pageId, since))
    if (await awaits(tx, page, failed)) await failOver(tx, page, failed, at);
}

type Untried = { methodId: string; channel: Outgoing['channel']; address: string; rule: number };

/** Verified contact methods that this run has not tried yet. */
async function untried(
  tx: Tx,
  page: PageRow,
  userId: string,
  run: { channel: string; methodId: string | null }[],
): Promise<Untried[]> {
  const person = (await findNotifiable(tx, [userId])).get(userId);
  if (!person) return [];
  const used = new Set(run.map((delivery) => `${delivery.methodId} ${delivery.channel}`));
  return planFallback(page.urgency, person.methods).flatMap(({ methodId, channel, rule }) => {
    const method = person.methods.find(({ id }) => id === methodId);
    return method && !used.has(`${methodId} ${channel}`)
      ? [{ methodId: method.id, channel, address: method.value, rule }]
      : [];
  });
}

async function insertFallback(
  tx: Tx,
  page: PageRow,
  { responderId, userId, type }: RunOfPerson,
  methods: readonly Untried[],
  at: Temporal.Instant,
): Promise<void> {
  const deliveries = methods.map((method) => ({
    ...method,
    id: newId('delivery'),
    type,
    dueAt: at,
    held: false,
    repeat: false,
    leaseOwner: null,
  }));
  const run = { organizationId: page.organizationId, responder: { pageId: page.id, userId }, responderId };
  await insertDeliveries(tx, run, deliveries, { at, until: at });
}
