import { setImmediate } from 'node:timers/promises';
import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import type { Rotation } from '../db/turns.ts';
import type { FetchText } from '../kit/fetch-text.ts';
import type { Log } from '../kit/log.ts';
import { stored } from '../language/contract.ts';
import { API_FORM } from '../moments/integrations/registry.ts';
import { requestsProcessing, requestsRetrying } from '../requests/store.ts';
import { type ByteBudgets, ROW_BYTES } from './byte-budget.ts';
import {
  anyCallDue,
  type ClaimedCall,
  claimCalls,
  claimCallsOfOthers,
  earlierCalls,
  postponeCalls,
  type Tried,
} from './call-store.ts';
import { checkSignature } from './certificates.ts';
import { confirmSubscription } from './confirm.ts';
import type { WebhookHealth } from './health.ts';
import { hasKeys, inOrderOfReceipt } from './order.ts';
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
  type Recording,
  readCall,
  recordCalls,
  recordConfirmation,
  type SubscribingCall,
} from './record.ts';

/** Large enough for throughput, small enough that one batch does not block other work for long. */
const BATCH = 200;
/** The most calls of others that are processed beside a batch at once. Few, because people wait for their pages. */
const OF_OTHERS = 20;
/** This many calls are read before other work gets its turn. */
const READ_AT_ONCE = 50;
/** Bodies are parsed synchronously: a batch of large ones must not block the event loop. */
const BATCH_BYTES = 4 * 1_024 * 1_024;
/** When a process dies during a batch, others may claim its calls after this time. */
const LEASE_MS = 30_000;
/** How long a signed call waits for a certificate that cannot be fetched. */
const PATIENCE_HOURS = 24;

/**
 * Processes queued calls: reads each with the adapter of its integration, records the moments, pages for page sources and
 * finishes its request. Calls of page sources go first. While one full batch is recorded, the next one is claimed. Returns how many
 * were processed, at most `limit`; zero means that none is due. Safe to run on several nodes at once.
 * Rejects only when the database is unavailable; the leases of the claimed calls then expire.
 */
export async function processCalls(worker: CallWorker, limit: number): Promise<number> {
  try {
    return await processBatches(worker, limit);
  } finally {
    worker.busy = null;
  }
}

async function processBatches(worker: CallWorker, limit: number): Promise<number> {
  let handled = 0;
  let batch = await claimBatch(worker, Math.min(BATCH, limit), 0);
  for (let turn = 1; batch.claimed.length > 0; turn++) {
    worker.busy = fillersOf(batch);
    handled += batch.claimed.length;
    const room = Math.min(BATCH, limit - handled);
    const mayBeMore = batch.claimed.length === BATCH && room > 0;
    const [finished, ahead] = await Promise.all([
      processAndStandBack(worker, batch),
      mayBeMore ? claimAhead(worker, room, batch) : NONE,
    ]);
    if (ahead.claimed.length === 0) batch = room > 0 ? await claimBatch(worker, room, turn) : NONE;
    else {
      handled += await processPaging(worker, limit - handled - ahead.claimed.length, turn);
      batch = finished ? ahead : await withEarlier(worker, ahead);
    }
  }
  return handled;
}

/** The webhooks that fill a batch: with half of its calls, or with as many as are processed beside it at once. */
function fillersOf({ claimed: calls }: Batch): ReadonlySet<string> {
  const ofWebhooks = Map.groupBy(calls, ({ webhookId }) => webhookId);
  const most = Math.min(OF_OTHERS, calls.length / 2);
  return new Set([...ofWebhooks].flatMap(([id, its]) => (its.length >= most ? [id] : [])));
}

/**
 * Processes calls of page sources while `processCalls` of the same worker works on a batch, except those of the webhooks
 * that fill it, so that a loud webhook does not delay the pages of the others. Does not stand back. `rotation` is of its
 * own, so that it does not advance the turns of `processCalls`. Returns how many were processed, at most 20. Rejects as
 * `processCalls` does.
 */
export async function processCallsOfOthers(worker: CallWorker, rotation: Rotation): Promise<number> {
  const { busy } = worker;
  if (!busy || !(await anyCallDue(worker.db, worker.clock)).pages) return 0;
  const batch = await claimed(worker, 'never', (tx, at) =>
    claimCallsOfOthers(tx, at, { ...termsOf(worker), rotation, limit: OF_OTHERS }, busy),
  );
  if (batch.claimed.length === 0) return 0;
  await processBatch(worker, batch);
  reportHandled(worker, batch);
  return batch.claimed.length;
}

/** Pages do not wait for calls that were claimed before them. Returns how many calls were processed. */
async function processPaging(worker: CallWorker, limit: number, turn: number): Promise<number> {
  if (limit <= 0 || !(await anyCallDue(worker.db, worker.clock)).pages) return 0;
  const batch = await claimBatch(worker, Math.min(BATCH, limit), turn);
  await processAndStandBack(worker, batch);
  return batch.claimed.length;
}

async function processAndStandBack(worker: CallWorker, batch: Batch): Promise<boolean> {
  const finished = await processBatch(worker, batch);
  reportHandled(worker, batch);
  if (batch.claimed.length > 1) await worker.standBack?.();
  return finished;
}

function reportHandled(worker: CallWorker, { claimed: calls }: Batch): void {
  worker.handled?.(new Set(calls.map(({ organizationId }) => organizationId)));
}

const NONE: Batch = { claimed: [], earlier: [] };

/** Calls that a worker has claimed, and earlier ones of the same webhooks that are not processed. */
export type Batch = { claimed: readonly ClaimedCall[]; earlier: readonly ClaimedCall[] };

export type CallWorker = {
  db: Database;
  clock: Clock;
  log: Log;
  health: WebhookHealth;
  /** Awaited between batches, so that more urgent work goes first. */
  standBack?(): Promise<void>;
  /** Receives the organizations whose calls were processed. */
  handled?(organizationIds: ReadonlySet<string>): void;
  /** Set for a failed call of a page source: it pages even if its moment cannot be recorded. */
  withoutMoments?(error: unknown): void;
  keeps: Keeps;
  paging: Paging;
  /** On a lifeboat: the main database records the moments. */
  momentsLater?: boolean;
  /** The number of this node; 0 while it is not registered. */
  node(): number;
  /** Where this worker's turns of the webhooks continue. */
  rotation: Rotation;
  /** The webhooks that fill the batch in progress; null without one. */
  busy: ReadonlySet<string> | null;
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
 * Claims calls that page before others. Among those, calls that were attempted before take turns with new ones, so that
 * no storm delays them. Calls that a node had claimed before it died have been attempted once and are claimed together.
 * If one of them ends the process again, they are processed one at a time, so that it cannot take others along.
 */
export async function claimBatch(worker: CallWorker, limit: number, turn: number): Promise<Batch> {
  const first = turn % EVERY_TRIED.length;
  const inTurn = [...EVERY_TRIED.slice(first), ...EVERY_TRIED.slice(0, first)];
  // One look saves up to six claims that would find nothing.
  const due = await anyCallDue(worker.db, worker.clock);
  for (const pages of [...(due.pages ? [true] : []), ...(due.any ? [false] : [])])
    for (const tried of pages ? inTurn : EVERY_TRIED) {
      const batch = await claim(worker, { pages, tried, limit: tried === 'often' ? 1 : limit });
      if (batch.claimed.length > 0) return batch;
    }
  return { claimed: [], earlier: [] };
}

type Which = { pages: boolean; tried: Tried; limit: number };

function claim(worker: CallWorker, which: Which): Promise<Batch> {
  return claimed(worker, which.tried, (tx, at) => take(worker, tx, at, which));
}

/** Claims the calls that `takes` returns, and reads the earlier ones of their webhooks. */
function claimed(
  worker: CallWorker,
  tried: Tried,
  takes: (tx: Tx, at: Temporal.Instant) => Promise<ClaimedCall[]>,
): Promise<Batch> {
  return transaction(worker, async (tx, at) => {
    const calls = await takes(tx, at);
    if (calls.length === 0) return NONE;
    const [, earlier] = await together(tx, [
      (side) => requestsProcessing(side, requestIds(calls), at),
      // Calls that failed before are late in any case, and must not fail because of others.
      async (side) => (tried === 'often' ? [] : earlierCalls(side, calls)),
    ]);
    return { claimed: calls, earlier };
  });
}

/** Claims calls that were never attempted, while `before` is processed. */
function claimAhead(worker: CallWorker, limit: number, before: Batch): Promise<Batch> {
  return transaction(worker, async (tx, at) => {
    const claimed = await take(worker, tx, at, { pages: false, tried: 'never', limit });
    if (claimed.length === 0) return NONE;
    const [, earlier] = await together(tx, [
      (side) => requestsProcessing(side, requestIds(claimed), at),
      (side) => earlierCalls(side, claimed, before.claimed),
    ]);
    return { claimed, earlier };
  });
}

function take(worker: CallWorker, tx: Tx, at: Temporal.Instant, which: Which): Promise<ClaimedCall[]> {
  return claimCalls(tx, at, { ...which, ...termsOf(worker) });
}

function termsOf({ rotation, node }: CallWorker) {
  return { maxBytes: BATCH_BYTES, leaseMs: LEASE_MS, node: node() || null, rotation };
}

async function withEarlier({ db }: CallWorker, { claimed }: Batch): Promise<Batch> {
  return { claimed, earlier: await db.transaction().execute((tx) => earlierCalls(tx, claimed)) };
}

/**
 * Records the claimed calls and, before them, earlier ones of the same keys that other workers have claimed. Returns
 * whether all claimed calls are certainly finished.
 */
export async function processBatch(worker: CallWorker, batch: Batch): Promise<boolean> {
  const { claimed, earlier } = batch;
  if (claimed.length === 0) return true;
  if (claimed.some(({ attempts }) => attempts > MAX_ATTEMPTS)) {
    await giveUp(worker, claimed);
    return true;
  }
  try {
    return (await processTogether(worker, batch)) === claimed.length;
  } catch (error) {
    worker.log.warn({ err: error, calls: claimed.length }, 'webhook calls could not be processed');
    // An unavailable database is not the fault of the call, so it never uses up the last attempt.
    if (isDatabaseAway(error)) await postpone(worker, claimed, MAX_ATTEMPTS - 1);
    // A call of another worker may be the one that fails, and that worker retries it.
    else if (earlier.length > 0) await processBatch(worker, { claimed, earlier: [] });
    else if (claimed.length > 1)
      for (const half of halves(claimed)) await processBatch(worker, { claimed: half, earlier: [] });
    else if (!worker.withoutMoments && claimed.some(({ source }) => source !== null))
      await processBatch(evenWithoutMoments(worker, claimed), batch);
    else if (claimed.some(({ attempts }) => attempts >= MAX_ATTEMPTS)) await giveUp(worker, claimed);
    else await postpone(worker, claimed, MAX_ATTEMPTS);
    return false;
  }
}

/** Returns how many of the claimed calls were recorded, without those that need an external answer. */
async function processTogether(worker: CallWorker, { claimed, earlier }: Batch): Promise<number> {
  const read = await readAll(worker, claimed);
  const others = await readAll(worker, withWebhooksOf(read.filter(hasKeys), earlier));
  const recorded = await recordInOrder(worker, read.filter(isReady), others.filter(isReady));
  await Promise.all(read.filter(isSubscribing).map((one) => confirmAndFinish(worker, one)));
  const certified = await Promise.all(read.filter(isCertified).map((one) => checked(worker, one)));
  const known = certified.filter((one) => one !== null);
  await recordInOrder(worker, known, await signed(worker, others.filter(isCertified), known));
  return recorded;
}

/** Reading many calls at once would block the event loop. */
async function readAll({ paging }: CallWorker, calls: readonly ClaimedCall[]): Promise<ReadCall[]> {
  const read: ReadCall[] = [];
  for (const [index, call] of calls.entries()) {
    if (index > 0 && index % READ_AT_ONCE === 0) await setImmediate();
    read.push(readCall(call, paging));
  }
  return read;
}

/** Whether nothing has to be fetched before it is recorded. */
function isReady(one: ReadCall): boolean {
  return !isSubscribing(one) && !isCertified(one);
}

/** Those of the earlier calls that can have a key in common with these calls. Others need not be read. */
function withWebhooksOf(read: readonly ReadCall[], earlier: readonly ClaimedCall[]): ClaimedCall[] {
  const webhookIds = new Set(read.map(({ call }) => call.webhookId));
  return earlier.filter(({ webhookId }) => webhookIds.has(webhookId));
}

/** Returns how many of `mine` were finished. */
async function recordInOrder(
  worker: CallWorker,
  mine: readonly ReadCall[],
  earlier: readonly ReadCall[],
): Promise<number> {
  if (mine.length === 0) return 0;
  const { calls, ...order } = inOrderOfReceipt(mine, earlier);
  const ids = new Set(mine.map(({ call }) => call.id));
  let finished = 0;
  for (const some of inTransactions(calls))
    for (const { call } of await record({ ...worker, order }, some)) if (ids.has(call.id)) finished++;
  return finished;
}

/**
 * The most that one transaction does, because people are notified of its pages after its end. Raising a page costs 1.
 */
const MOST_COST = 100;
/** Calls that page nobody only need few keys, because each key is locked. */
const COST_OF_MOMENT = 0.5;
const COST_OF_ENDING = 10;

/** Splits a batch, in order, so that pages do not wait for the ends of many others. */
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
  if (call.source === null || !('events' in result)) return COST_OF_MOMENT;
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

async function record(
  worker: CallWorker & Pick<Recording, 'order'>,
  read: readonly ReadCall[],
): Promise<readonly EndedCall[]> {
  if (read.length === 0) return [];
  const { ended, afterCommit } = await transaction(worker, (tx, at) => recordCalls(tx, at, read, worker));
  afterCommit();
  noteHealth(worker, ended);
  return ended;
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

/** Those of these calls that Amazon signed with a certificate of `known` calls, which need not be fetched again. */
async function signed(
  worker: CallWorker,
  certified: readonly CertifiedCall[],
  known: readonly ReadCall[],
): Promise<CertifiedCall[]> {
  const fetched = new Set(known.filter(isCertified).map(({ result }) => result.certified.certificateUrl));
  const verdicts = await Promise.all(
    certified.map(async (one) => {
      const { certified: text } = one.result;
      if (!fetched.has(text.certificateUrl)) return null;
      return 'signed' in (await checkSignature(text, worker.fetchCertificate)) ? one : null;
    }),
  );
  return verdicts.filter((one) => one !== null);
}

/** Sends an external request, so no transaction is open until the answer arrives. */
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
  const ended = [{ call, outcome: failed(confirmed.problem, call) }];
  await transaction(worker, (tx, at) => finish(tx, at, ended, worker.keeps));
}

/**
 * A successful call of the API form does not close the webhook's problems: it was authenticated with an API key, and
 * says nothing about the tool for which the webhook was created.
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
  error = stored('Tocsin could not process this call and will try again; its log gives the reason.'),
): Promise<void> {
  return transaction(worker, async (tx, at) => {
    const attempts = Math.max(...claimed.map((call) => call.attempts));
    const nextAt = at.add({ milliseconds: retryDelayMs(attempts) });
    const ids = claimed.map(({ id }) => id);
    await postponeCalls(tx, ids, nextAt, countedAttempts);
    await requestsRetrying(tx, requestIds(claimed), at, error, nextAt);
  });
}

/** This call keeps causing an internal error; people can retry it once that is fixed. */
function giveUp(worker: CallWorker, claimed: readonly ClaimedCall[]): Promise<void> {
  worker.log.error({ calls: claimed.map(({ id }) => id) }, 'a webhook call was given up');
  const reason = stored('Tocsin failed {count} times to process this call; its log gives the reason.', {
    count: MAX_ATTEMPTS,
  });
  return transaction(worker, (tx, at) =>
    finish(
      tx,
      at,
      claimed.map((call) => ({ call, outcome: failed(reason, call) })),
      worker.keeps,
    ),
  );
}

function requestIds(claimed: readonly ClaimedCall[]): string[] {
  return claimed.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
}
