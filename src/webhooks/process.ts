import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import type { FetchText } from '../kit/fetch-text.ts';
import type { Log } from '../kit/log.ts';
import { API_FORM } from '../moments/integrations/registry.ts';
import { requestsProcessing, requestsRetrying } from '../requests/batch-store.ts';
import { type ByteBudgets, ROW_BYTES } from './byte-budget.ts';
import { checkSignature } from './certificates.ts';
import { confirmSubscription } from './confirm.ts';
import type { WebhookHealth } from './health.ts';
import { failed, MAX_ATTEMPTS, retryDelayMs } from './outcome.ts';
import { type ClaimedNotification, claimNotifications, postponeNotifications } from './received-store.ts';
import {
  type AskingNotification,
  type CertifiedNotification,
  type EndedNotification,
  finish,
  isAsking,
  isCertified,
  type Keeps,
  type ReadNotification,
  readNotification,
  recordConfirmation,
  recordNotifications,
} from './record.ts';

/** Enough to be quick, few enough to keep nobody waiting meanwhile. */
const BATCH = 100;
/** Bodies are read in one go: a batch of large ones must not keep the process from everything else. */
const BATCH_BYTES = 4 * 1_024 * 1_024;
/** A process that died with a batch in its hands leaves it to others after this time. */
const LEASE_MS = 30_000;
/** For so long a signature may wait for the certificate that it is checked by. */
const PATIENCE_HOURS = 24;

/**
 * Works on queued notifications: reads each with its integration's adapter, records the moments and finishes its
 * request. Returns how many were handled, at most `limit`; zero means that nothing is due. Safe on any number of
 * nodes at once. Rejects only when the database is away; what was claimed then comes back by itself.
 */
export async function processNotifications(worker: NotificationWorker, limit: number): Promise<number> {
  let handled = 0;
  while (handled < limit) {
    const fresh = await claim(worker, false, Math.min(BATCH, limit - handled));
    // What failed before is worked on alone, so that it can spoil nothing but itself.
    const claimed = fresh.length > 0 ? fresh : await claim(worker, true, 1);
    if (claimed.length === 0) break;
    await attempt(worker, claimed);
    handled += claimed.length;
    worker.handled?.(new Set(claimed.map(({ organizationId }) => organizationId)));
    if (claimed.length > 1) await worker.standBack?.();
  }
  return handled;
}

export type NotificationWorker = {
  db: Database;
  clock: Clock;
  log: Log;
  health: WebhookHealth;
  /** Awaited between batches: what is more urgent goes first. */
  standBack?(): Promise<void>;
  /** Told whose notifications were worked on. */
  handled?(organizationIds: ReadonlySet<string>): void;
  keeps: Keeps;
  /** For subscriptions that wait for a sign of ours; reaches the public internet only. */
  fetchText: FetchText;
  /** The same for certificates, which are remembered. */
  fetchCertificate: FetchText;
};

/** Keeps what is worked on while there is room on the disk, and within what a webhook may take of it. */
export function keepsWithin(budgets: ByteBudgets, isLow: () => boolean): Keeps {
  return ({ webhookId, body }) => !isLow() && budgets.spend(webhookId, body.length + ROW_BYTES);
}

/** One transaction, with its time. */
function transaction<T>(
  { db, clock }: NotificationWorker,
  work: (tx: Tx, at: Temporal.Instant) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => work(tx, await clock.now(tx)));
}

function claim(worker: NotificationWorker, tried: boolean, limit: number): Promise<ClaimedNotification[]> {
  return transaction(worker, async (tx, at) => {
    const terms = { tried, limit, maxBytes: BATCH_BYTES, leaseMs: LEASE_MS };
    const claimed = await claimNotifications(tx, at, terms);
    if (claimed.length > 0) await requestsProcessing(tx, requestIds(claimed), at);
    return claimed;
  });
}

async function attempt(worker: NotificationWorker, claimed: readonly ClaimedNotification[]): Promise<void> {
  if (claimed.some(({ attempts }) => attempts > MAX_ATTEMPTS)) return giveUp(worker, claimed);
  try {
    const read = claimed.map(readNotification);
    await record(
      worker,
      read.filter((one) => !isAsking(one) && !isCertified(one)),
    );
    await Promise.all(read.filter(isAsking).map((one) => confirmAndFinish(worker, one)));
    const known = await Promise.all(read.filter(isCertified).map((one) => checked(worker, one)));
    await record(
      worker,
      known.filter((one) => one !== null),
    );
  } catch (error) {
    worker.log.warn({ err: error, notifications: claimed.length }, 'work on notifications failed');
    // Trouble of the database's is no notification's fault: it never uses up the last attempt.
    if (isDatabaseAway(error)) await postpone(worker, claimed, MAX_ATTEMPTS - 1);
    else if (claimed.length > 1) for (const one of claimed) await attempt(worker, [one]);
    else if (claimed.some(({ attempts }) => attempts >= MAX_ATTEMPTS)) await giveUp(worker, claimed);
    else await postpone(worker, claimed, MAX_ATTEMPTS);
  }
}

async function record(worker: NotificationWorker, read: readonly ReadNotification[]): Promise<void> {
  if (read.length === 0) return;
  noteHealth(worker, await transaction(worker, (tx, at) => recordNotifications(tx, at, read, worker.keeps)));
}

/** What a certified notification says if it is to be believed; null where that is to be seen later. */
async function checked(
  worker: NotificationWorker,
  certified: CertifiedNotification,
): Promise<ReadNotification | null> {
  const { notification, result } = certified;
  const verdict = await checkSignature(result.certified, worker.fetchCertificate);
  if ('signed' in verdict) return certified;
  if (!verdict.lasting) {
    worker.health.failed(notification, 'certificate', verdict.problem);
    const oldest = (await worker.clock.now(worker.db)).subtract({ hours: PATIENCE_HOURS });
    if (Temporal.Instant.compare(notification.receivedAt, oldest) > 0) {
      await postpone(worker, [notification], MAX_ATTEMPTS - 1, verdict.problem);
      return null;
    }
  }
  return { ...certified, result: { error: verdict.problem } };
}

/** Reaches out of the house, and so stands outside of any transaction until the answer is there. */
async function confirmAndFinish(worker: NotificationWorker, asking: AskingNotification): Promise<void> {
  const { notification, result } = asking;
  const { topic = null } = notification.settings;
  const confirmed = await confirmSubscription(result.confirm, topic, worker);
  if ('confirmed' in confirmed) {
    await transaction(worker, (tx, at) => recordConfirmation(tx, at, asking, worker.keeps));
    return worker.health.worked(notification);
  }
  worker.health.failed(notification, 'confirmation', confirmed.problem);
  if (!confirmed.lasting && notification.attempts < MAX_ATTEMPTS)
    return postpone(worker, [notification], MAX_ATTEMPTS, confirmed.problem);
  const ended = [{ notification, outcome: failed(confirmed.problem) }];
  await transaction(worker, (tx, at) => finish(tx, at, ended, worker.keeps));
}

/** Calls of the API form were made with a key: they show nothing about the sender that the webhook was made for. */
function noteHealth({ health }: NotificationWorker, ended: readonly EndedNotification[]): void {
  for (const { notification, outcome } of ended) {
    if (outcome.state === 'error') health.failed(notification, 'calls', outcome.reason ?? outcome.message);
    else if (notification.integration !== API_FORM) health.worked(notification);
  }
}

/** Lets another attempt follow. */
function postpone(
  worker: NotificationWorker,
  claimed: readonly ClaimedNotification[],
  countedAttempts: number,
  error = 'Tocsin failed to work on it and will try again; its log says why.',
): Promise<void> {
  return transaction(worker, async (tx, at) => {
    const attempts = Math.max(...claimed.map((notification) => notification.attempts));
    const nextAt = at.add({ milliseconds: retryDelayMs(attempts) });
    const ids = claimed.map(({ id }) => id);
    await postponeNotifications(tx, ids, nextAt, countedAttempts);
    await requestsRetrying(tx, requestIds(claimed), at, error, nextAt);
  });
}

/** The fault is ours, but it comes with this notification: people can retry it when it is mended. */
function giveUp(worker: NotificationWorker, claimed: readonly ClaimedNotification[]): Promise<void> {
  worker.log.error({ notifications: claimed.map(({ id }) => id) }, 'a notification was given up');
  const outcome = failed(`Tocsin failed ${MAX_ATTEMPTS} times to work on it; its log says why.`);
  return transaction(worker, (tx, at) =>
    finish(
      tx,
      at,
      claimed.map((notification) => ({ notification, outcome })),
      worker.keeps,
    ),
  );
}

function requestIds(claimed: readonly ClaimedNotification[]): string[] {
  return claimed.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
}
