import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Rotation } from '../db/turns.ts';
import type { FetchText } from '../kit/fetch-text.ts';
import type { Log } from '../kit/log.ts';
import { API_FORM } from '../moments/integrations/registry.ts';
import { requestsProcessing, requestsRetrying } from '../requests/store.ts';
import { type ByteBudgets, ROW_BYTES } from './byte-budget.ts';
import { anyCallDue, type ClaimedCall, claimCalls, postponeCalls, type Tried } from './call-store.ts';
import { checkSignature } from './certificates.ts';
import { confirmSubscription } from './confirm.ts';
import type { WebhookHealth } from './health.ts';
import { failed, MAX_ATTEMPTS, retryDelayMs } from './outcome.ts';
import type { Paging } from './paging.ts';
import {
  type CertifiedCall,
  type EndedCall,
  finish,
  isCertified,
  isSubscribing,
  type Keeps,
  type ReadCall,
  readCall,
  recordCalls,
  recordConfirmation,
  type SubscribingCall,
} from './record.ts';

/** Large enough for throughput, small enough that one batch does not block other work for long. */
const BATCH = 100;
/** Bodies are parsed synchronously: a batch of large ones must not block the event loop. */
const BATCH_BYTES = 4 * 1_024 * 1_024;
/** When a process dies during a batch, others may claim its calls after this time. */
const LEASE_MS = 30_000;
/** How long a signed call waits for a certificate that cannot be fetched. */
const PATIENCE_HOURS = 24;

/**
 * Processes queued calls: reads each with the adapter of its integration, records the moments, pages for page sources and
 * finishes its request. Calls of page sources go first. Returns how many were processed, at most `limit`; zero means that none is due. Safe to run on several nodes at once.
 * Rejects only when the database is unavailable; the leases of the claimed calls then expire.
 */
export async function processCalls(worker: CallWorker, limit: number): Promise<number> {
  let handled = 0;
  for (let turn = 0; handled < limit; turn++) {
    const claimed = await claimNext(worker, Math.min(BATCH, limit - handled), turn);
    if (claimed.length === 0) break;
    await attempt(worker, claimed);
    handled += claimed.length;
    worker.handled?.(new Set(claimed.map(({ organizationId }) => organizationId)));
    if (claimed.length > 1) await worker.standBack?.();
  }
  return handled;
}

export type CallWorker = {
  db: Database;
  clock: Clock;
  log: Log;
  health: WebhookHealth;
  /** Awaited between batches, so that more urgent work goes first. */
  standBack?(): Promise<void>;
  /** Receives the organizations whose calls were processed. */
  handled?(organizationIds: ReadonlySet<string>): void;
  /** Set for a call of a page source that failed: it pages even if its moment cannot be recorded. */
  withoutMoments?(error: unknown): void;
  keeps: Keeps;
  paging: Paging;
  /** On a lifeboat: the main database records the moments. */
  momentsLater?: boolean;
  /** The number of this node; 0 while it is not registered. */
  node(): number;
  /** Where this worker's turns of the webhooks go on. */
  rotation: Rotation;
  /** Fetches subscription URLs; reaches the public internet only. */
  fetchText: FetchText;
  /** Fetches certificates, which it caches. */
  fetchCertificate: FetchText;
};

/** Stores processed calls while the disk has room and the byte budget of the webhook allows it. */
export function keepsWithin(budgets: ByteBudgets, isLow: () => boolean): Keeps {
  return ({ webhookId, body }) => !isLow() && budgets.spend(webhookId, body.length + ROW_BYTES);
}

/** Runs `work` in a transaction, with the time of the database. */
function transaction<T>(
  { db, clock }: CallWorker,
  work: (tx: Tx, at: Temporal.Instant) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => work(tx, await clock.now(tx)));
}

const EVERY_TRIED: readonly Tried[] = ['never', 'once', 'often'];

/**
 * Claims calls that page before others. Among those that page, calls that were attempted before take turns with new ones, so
 * that no storm holds them up. Calls that a node had claimed before it died have been attempted once and are claimed together.
 * If one of them ends the process again, they are processed one at a time, so that it cannot take others along.
 */
async function claimNext(worker: CallWorker, limit: number, turn: number): Promise<ClaimedCall[]> {
  const first = turn % EVERY_TRIED.length;
  const inTurn = [...EVERY_TRIED.slice(first), ...EVERY_TRIED.slice(0, first)];
  // One look saves up to six claims that would find nothing.
  const due = await anyCallDue(worker.db, worker.clock);
  for (const pages of [...(due.pages ? [true] : []), ...(due.any ? [false] : [])])
    for (const tried of pages ? inTurn : EVERY_TRIED) {
      const claimed = await claim(worker, { pages, tried, limit: tried === 'often' ? 1 : limit });
      if (claimed.length > 0) return claimed;
    }
  return [];
}

function claim(
  worker: CallWorker,
  which: { pages: boolean; tried: Tried; limit: number },
): Promise<ClaimedCall[]> {
  return transaction(worker, async (tx, at) => {
    const { rotation } = worker;
    const terms = { maxBytes: BATCH_BYTES, leaseMs: LEASE_MS, node: worker.node() || null, rotation };
    const claimed = await claimCalls(tx, at, { ...which, ...terms });
    if (claimed.length > 0) await requestsProcessing(tx, requestIds(claimed), at);
    return claimed;
  });
}

async function attempt(worker: CallWorker, claimed: readonly ClaimedCall[]): Promise<void> {
  if (claimed.some(({ attempts }) => attempts > MAX_ATTEMPTS)) return giveUp(worker, claimed);
  try {
    const read = claimed.map((call) => readCall(call, worker.paging));
    const ready = read.filter((one) => !isSubscribing(one) && !isCertified(one));
    for (const some of inTransactions(ready)) await record(worker, some);
    await Promise.all(read.filter(isSubscribing).map((one) => confirmAndFinish(worker, one)));
    const known = await Promise.all(read.filter(isCertified).map((one) => checked(worker, one)));
    await record(
      worker,
      known.filter((one) => one !== null),
    );
  } catch (error) {
    worker.log.warn({ err: error, calls: claimed.length }, 'webhook calls could not be processed');
    // An unavailable database is not the fault of the call, so it never uses up the last attempt.
    if (isDatabaseAway(error)) await postpone(worker, claimed, MAX_ATTEMPTS - 1);
    else if (claimed.length > 1) for (const half of halves(claimed)) await attempt(worker, half);
    else if (!worker.withoutMoments && claimed.some(({ source }) => source !== null))
      await attempt(evenWithoutMoments(worker, claimed), claimed);
    else if (claimed.some(({ attempts }) => attempts >= MAX_ATTEMPTS)) await giveUp(worker, claimed);
    else await postpone(worker, claimed, MAX_ATTEMPTS);
  }
}

/** The most that one transaction does: people are notified of its pages after its end. Raising a page costs 1. */
const MOST_COST = 100;
const COST_OF_ENDING = 10;

/** Splits a batch, in its order, so that pages are not held up by the ends of many others. */
function inTransactions(read: readonly ReadCall[]): ReadCall[][] {
  const transactions: ReadCall[][] = [];
  let left = 0;
  for (const one of read) {
    const cost = costOf(one);
    if (cost > left || transactions.length === 0) {
      transactions.push([]);
      left = MOST_COST;
    }
    transactions.at(-1)?.push(one);
    left -= cost;
  }
  return transactions;
}

function costOf({ call, result }: ReadCall): number {
  if (call.source === null || !('events' in result)) return 1;
  return result.events.reduce((sum, { action }) => sum + (action === 'open' ? 1 : COST_OF_ENDING), 0);
}

/** One call that fails delays the others of its batch by a few more transactions, not by one for each of them. */
function halves<One>(batch: readonly One[]): [readonly One[], readonly One[]] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

/** A page must not wait for a moment that cannot be recorded. */
function evenWithoutMoments(worker: CallWorker, claimed: readonly ClaimedCall[]): CallWorker {
  const calls = claimed.map(({ id }) => id);
  return {
    ...worker,
    withoutMoments: (err) =>
      worker.log.error({ err, calls }, 'a page was raised without its moment, which could not be recorded'),
  };
}

async function record(worker: CallWorker, read: readonly ReadCall[]): Promise<void> {
  if (read.length === 0) return;
  const { ended, afterCommit } = await transaction(worker, (tx, at) => recordCalls(tx, at, read, worker));
  afterCommit();
  noteHealth(worker, ended);
}

/** The call, as an error when its signature is invalid; null when the check was postponed. */
async function checked(worker: CallWorker, certified: CertifiedCall): Promise<ReadCall | null> {
  const { call, result } = certified;
  const verdict = await checkSignature(result.certified, worker.fetchCertificate);
  if ('signed' in verdict) return certified;
  if (!verdict.lasting) {
    worker.health.failed(call, 'certificate', verdict.problem);
    const oldest = (await worker.clock.now(worker.db)).subtract({ hours: PATIENCE_HOURS });
    if (Temporal.Instant.compare(call.receivedAt, oldest) > 0) {
      await postpone(worker, [call], MAX_ATTEMPTS - 1, verdict.problem);
      return null;
    }
  }
  return { ...certified, result: { error: verdict.problem } };
}

/** Sends a request to the outside, so no transaction is open until the answer arrives. */
async function confirmAndFinish(worker: CallWorker, asking: SubscribingCall): Promise<void> {
  const { call, result } = asking;
  const { topic = null } = call.settings;
  const confirmed = await confirmSubscription(result.confirm, topic, worker);
  if ('confirmed' in confirmed) {
    await transaction(worker, (tx, at) => recordConfirmation(tx, at, asking, worker.keeps));
    return worker.health.worked(call);
  }
  worker.health.failed(call, 'confirmation', confirmed.problem);
  if (!confirmed.lasting && call.attempts < MAX_ATTEMPTS)
    return postpone(worker, [call], MAX_ATTEMPTS, confirmed.problem);
  const ended = [{ call, outcome: failed(confirmed.problem) }];
  await transaction(worker, (tx, at) => finish(tx, at, ended, worker.keeps));
}

/**
 * A call of the API form that works does not clear the webhook's problems: it was authenticated with an API key, and
 * says nothing about the tool that the webhook was created for.
 */
function noteHealth({ health }: CallWorker, ended: readonly EndedCall[]): void {
  for (const { call, outcome } of ended) {
    if (outcome.state === 'error') health.failed(call, 'calls', outcome.reason ?? outcome.message);
    else if (call.integration !== API_FORM) health.worked(call);
  }
}

/** Schedules another attempt. */
function postpone(
  worker: CallWorker,
  claimed: readonly ClaimedCall[],
  countedAttempts: number,
  error = 'Tocsin could not process this call and will try again; its log gives the reason.',
): Promise<void> {
  return transaction(worker, async (tx, at) => {
    const attempts = Math.max(...claimed.map((call) => call.attempts));
    const nextAt = at.add({ milliseconds: retryDelayMs(attempts) });
    const ids = claimed.map(({ id }) => id);
    await postponeCalls(tx, ids, nextAt, countedAttempts);
    await requestsRetrying(tx, requestIds(claimed), at, error, nextAt);
  });
}

/** This call keeps hitting a fault of ours; people can retry it once that is fixed. */
function giveUp(worker: CallWorker, claimed: readonly ClaimedCall[]): Promise<void> {
  worker.log.error({ calls: claimed.map(({ id }) => id) }, 'a webhook call was given up');
  const outcome = failed(
    `Tocsin failed ${MAX_ATTEMPTS} times to process this call; its log gives the reason.`,
  );
  return transaction(worker, (tx, at) =>
    finish(
      tx,
      at,
      claimed.map((call) => ({ call, outcome })),
      worker.keeps,
    ),
  );
}

function requestIds(claimed: readonly ClaimedCall[]): string[] {
  return claimed.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
}
