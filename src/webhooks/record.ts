import { isDatabaseAway } from '../db/away.ts';
import type { Tx } from '../db/database.ts';
import { keepIf } from '../db/savepoint.ts';
import { together } from '../db/together.ts';
import { stored } from '../language/contract.ts';
import { recordEvents } from '../moments/actions.ts';
import { applySettings } from '../moments/apply-settings.ts';
import type { AdapterResult, CertifiedText, Confirmation } from '../moments/integrations/adapter.ts';
import { readerFor } from '../moments/integrations/registry.ts';
import type { EventBatch, RecordingResult } from '../moments/recording.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import { lockFollowUps } from '../moments/store.ts';
import { type RequestEnding, requestsFinished } from '../requests/store.ts';
import { type ClaimedCall, callsBehindOthers, finishCalls, lockClaimed, returnCalls } from './call-store.ts';
import { calledTest } from './example-call.ts';
import { keysOf, type OrderedCalls } from './order.ts';
import { failed, ignored, NO_EVENT, type Outcome, recorded, withoutMoment, withUnread } from './outcome.ts';
import { unpackedBody } from './packed-body.ts';
import type { Paging, SourceCall } from './paging.ts';
import { dropRepetitions, storedSenderCallId } from './repetition.ts';
import { pinTopic } from './store.ts';

export type ReadCall = {
  call: ClaimedCall;
  result: AdapterResult;
  /** The sender's id of this call, if it has one. */
  senderCallId: string | null;
};

/** Reads a call with the adapter of its integration. */
export function readCall(call: ClaimedCall, paging: Pick<Paging, 'adapterFor'>): ReadCall {
  const { integration, headers, settings, receivedAt } = call;
  const adapter = (call.source && paging.adapterFor(integration)) ?? readerFor(integration);
  if (!adapter)
    return unread(
      call,
      stored('this version of Tocsin does not know the integration {integration}.', {
        integration: JSON.stringify(integration),
      }),
    );
  const unpacked = unpackedBody(headers, call.body, adapter.bodyLimit);
  if ('problem' in unpacked)
    return unread(call, stored('the body {problem}.', { problem: unpacked.problem }));
  const { body } = unpacked;
  const read = adapter.read({ headers, body, settings, receivedAt });
  const senderCallId = adapter.senderCallId?.({ headers, body }) ?? null;
  return {
    call,
    result: calledTest(headers, withSettings(read, settings)),
    senderCallId: senderCallId && storedSenderCallId(senderCallId),
  };
}

function unread(call: ClaimedCall, error: string): ReadCall {
  return { call, result: { error }, senderCallId: null };
}

function withSettings(result: AdapterResult, settings: WebhookSettings): AdapterResult {
  if (!('events' in result)) return result;
  return { ...result, events: result.events.map((event) => applySettings(event, settings)) };
}

export type Recording = {
  keeps: Keeps;
  paging: Paging;
  /**
   * If the moments cannot be recorded, pages without them and passes on the error. Without it, nothing is done in that
   * case. It costs two statements, so it is only for calls that failed before.
   */
  withoutMoments?(error: unknown): void;
  /** Information about other calls of the same webhooks; left out, nothing is known. */
  order?: Omit<OrderedCalls, 'calls'>;
  /** On a lifeboat: the main database records the moments when the lifeboat lands (`recordMomentsLater`). */
  momentsLater?: boolean;
};

/**
 * Records the moments of a batch, pages for the calls of page sources, and finishes all its calls, in one transaction.
 * Nobody else records calls of the same keys until it ends: the locks of the keys are taken before those of calls,
 * which another worker may want to record as well.
 */
export async function recordCalls(
  tx: Tx,
  at: Temporal.Instant,
  read: readonly ReadCall[],
  { keeps, paging, withoutMoments, order = ALONE, momentsLater = false }: Recording,
): Promise<{ ended: EndedCall[]; afterCommit(): void }> {
  await lockFollowUps(tx, read.flatMap(keysOf));
  const ours = await lockClaimed(
    tx,
    read.map(({ call: { id, attempts } }) => ({ id, attempts: order.taken.has(id) ? null : attempts })),
  );
  const waiting = await returnEarly(
    tx,
    at,
    read.filter(({ call }) => ours.has(call.id)),
    order,
  );
  const mine = await dropRepetitions(
    tx,
    at,
    read.filter(({ call }) => ours.has(call.id) && !waiting.has(call.id)),
  );
  const results = await recordMoments(tx, at, momentsLater ? [] : mine.flatMap(batchOf), withoutMoments);
  const recordings = new Map(results?.map((result) => [result.callId, result]));
  const { outcomes, afterCommit } = await paging.page(
    tx,
    at,
    mine.flatMap((one) =>
      isOfSource(one) ? [{ ...one, momentIds: recordings.get(one.call.id)?.momentIds ?? [] }] : [],
    ),
  );
  const ended = mine.map(({ call, result }) => {
    const recording = recordings.get(call.id);
    const paged = outcomes.get(call.id);
    const outcome = paged ?? (recording ? recorded(recording) : withoutEvents(result, call));
    return { call, outcome: readInPart(paged && !results ? withoutMoment(paged) : outcome, result) };
  });
  await finish(tx, at, ended, keeps);
  return { ended, afterCommit };
}

const ALONE: Omit<OrderedCalls, 'calls'> = { taken: new Set(), unrelated: [], followed: new Set() };

/** The events of a call whose moments are recorded. */
function batchOf({ call, result }: ReadCall): EventBatch[] {
  return 'events' in result && recordsMoments(call)
    ? [{ ...call, callId: call.id, events: result.events }]
    : [];
}

/**
 * Records the moments of calls of page sources that a lifeboat has processed, in the order of their receipt. Returns
 * each call with the ids of its moments. The lifeboat's changes to pages stay. If the moments cannot be recorded,
 * `failed` gets the error.
 */
export async function recordMomentsLater(
  tx: Tx,
  at: Temporal.Instant,
  calls: readonly ClaimedCall[],
  { paging, failed: failure }: { paging: Pick<Paging, 'adapterFor'>; failed(error: unknown): void },
): Promise<SourceCall[]> {
  const read = calls.map((call) => readCall(call, paging)).filter(isOfSource);
  await lockFollowUps(tx, read.flatMap(keysOf));
  const results = await recordMoments(tx, at, read.flatMap(batchOf), failure);
  const moments = new Map(results?.map(({ callId, momentIds }) => [callId, momentIds]));
  return read.map((one) => ({ ...one, momentIds: moments.get(one.call.id) ?? [] }));
}

/** Null when the moments could not be recorded and `withoutMoments` took the error. */
async function recordMoments(
  tx: Tx,
  at: Temporal.Instant,
  batches: readonly EventBatch[],
  withoutMoments: Recording['withoutMoments'],
): Promise<RecordingResult[] | null> {
  if (!withoutMoments) return recordEvents(tx, at, batches);
  let results: RecordingResult[] | null = null;
  try {
    await keepIf(tx, async (inside) => {
      results = await recordEvents(inside, at, batches);
      return true;
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    withoutMoments(error);
  }
  return results;
}

/** How long a call that pages nobody waits for older calls of its source. */
const ORDER_WAIT = { seconds: 60 };
const LOOK_AGAIN_AFTER = { milliseconds: 250 };

/**
 * Returns calls to the queue that only acknowledge or resolve, while an older call of their source is not processed and
 * its keys are unknown: the page that they end may not be raised yet. Calls with triggers never wait, and neither do
 * their predecessors, because the trigger must not be merged with what ends here. Returns the ids of the calls that
 * wait.
 */
async function returnEarly(
  tx: Tx,
  at: Temporal.Instant,
  read: readonly ReadCall[],
  { unrelated, followed }: Omit<OrderedCalls, 'calls'>,
): Promise<ReadonlySet<string>> {
  const waiting = await callsBehindOthers(
    tx,
    read.flatMap((one) => (raisesNothing(one) && !followed.has(one.call.id) ? [one.call] : [])),
    { batch: [...read.map(({ call }) => call.id), ...unrelated], since: at.subtract(ORDER_WAIT) },
  );
  await returnCalls(tx, [...waiting], at.add(LOOK_AGAIN_AFTER));
  return waiting;
}

function raisesNothing(one: ReadCall): boolean {
  return isOfSource(one) && one.result.events.every(({ action }) => action !== 'open');
}

function recordsMoments({ source }: ClaimedCall): boolean {
  return source?.settings.record_moments ?? true;
}

function isOfSource(one: ReadCall): one is ReadCall & Pick<SourceCall, 'result'> {
  return one.call.source !== null && 'events' in one.result;
}

export type SubscribingCall = ReadCall & { result: { confirm: Confirmation } };

/** The sender waits for a subscription to be confirmed. */
export function isSubscribing(read: ReadCall): read is SubscribingCall {
  return 'confirm' in read.result;
}

export type CertifiedCall = ReadCall & { result: { certified: CertifiedText } };

/** The signature has to be checked with a certificate before the call is processed. */
export function isCertified(read: ReadCall): read is CertifiedCall {
  return 'certified' in read.result && read.result.certified !== undefined;
}

/** Finishes a call whose subscription was confirmed, and pins the webhook to its topic. */
export async function recordConfirmation(
  tx: Tx,
  at: Temporal.Instant,
  { call, result }: SubscribingCall,
  keeps: Keeps,
): Promise<void> {
  const { topic } = result.confirm;
  await pinTopic(tx, at, call.webhookId, topic);
  const said = stored('The subscription to {topic} was confirmed.', { topic });
  const outcome: Outcome = { state: 'success', reason: said, message: said };
  await finish(tx, at, [{ call, outcome }], keeps);
}

function readInPart(outcome: Outcome, result: AdapterResult): Outcome {
  return 'events' in result && result.unread !== undefined ? withUnread(outcome, result.unread) : outcome;
}

function withoutEvents(result: AdapterResult, call: ClaimedCall): Outcome {
  if ('error' in result) return failed(result.error, call);
  return ignored('ignored' in result ? result.ignored : NO_EVENT);
}

export type EndedCall = { call: ClaimedCall; outcome: Outcome };

/** Whether the headers and body of a processed call are kept. */
export type Keeps = (call: ClaimedCall) => boolean;

/** Finishes calls and their requests. */
export async function finish(
  tx: Tx,
  at: Temporal.Instant,
  ended: readonly EndedCall[],
  keeps: Keeps,
): Promise<void> {
  const endings = ended.map(({ call, outcome: { state, reason } }) => ({
    ...{ id: call.id, state, reason },
    keep: keeps(call),
  }));
  await together(tx, [
    (side) => finishCalls(side, at, endings),
    (side) => requestsFinished(side, at, ended.flatMap(requestEnding)),
  ]);
}

function requestEnding({ call, outcome }: EndedCall): RequestEnding[] {
  const { requestId: id } = call;
  if (id === null) return [];
  const { state, reason, message } = outcome;
  return state === 'error'
    ? [{ id, status: 'failed', message, error: reason }]
    : [{ id, status: 'succeeded', message, error: null }];
}
