import type { Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import { recordEvents } from '../moments/actions.ts';
import { applySettings } from '../moments/apply-settings.ts';
import type { AdapterResult, CertifiedText, Confirmation } from '../moments/integrations/adapter.ts';
import { readerFor } from '../moments/integrations/registry.ts';
import type { WebhookSettings } from '../moments/settings.ts';
import { type RequestEnding, requestsFinished } from '../requests/batch-store.ts';
import { calledTest } from './example-call.ts';
import { pinTopic } from './manage-store.ts';
import { failed, ignored, type Outcome, recorded } from './outcome.ts';
import { unpackedBody } from './packed-body.ts';
import { type ClaimedNotification, finishNotifications, lockClaimed } from './received-store.ts';
import { dropRepetitions, storedDeliveryId } from './repetition.ts';

export type ReadNotification = {
  notification: ClaimedNotification;
  result: AdapterResult;
  /** The sender's number of this delivery, where it has one. */
  deliveryId: string | null;
};

/** What a notification says, by the adapter of its integration. */
export function readNotification(notification: ClaimedNotification): ReadNotification {
  const { integration, headers, settings, receivedAt } = notification;
  const adapter = readerFor(integration);
  if (!adapter)
    return unread(
      notification,
      `this version of Tocsin does not know the integration ${JSON.stringify(integration)}.`,
    );
  const unpacked = unpackedBody(headers, notification.body, adapter.bodyLimit);
  if ('problem' in unpacked) return unread(notification, `the body ${unpacked.problem}.`);
  const { body } = unpacked;
  const read = adapter.read({ headers, body, settings, receivedAt });
  const deliveryId = adapter.deliveryId?.({ headers, body }) ?? null;
  return {
    notification,
    result: calledTest(headers, withSettings(read, settings)),
    deliveryId: deliveryId && storedDeliveryId(deliveryId),
  };
}

function unread(notification: ClaimedNotification, error: string): ReadNotification {
  return { notification, result: { error }, deliveryId: null };
}

function withSettings(result: AdapterResult, settings: WebhookSettings): AdapterResult {
  if (!('events' in result)) return result;
  return { ...result, events: result.events.map((event) => applySettings(event, settings)) };
}

/** Records everything that comes of a batch, and finishes it, in one transaction. Returns how each ended. */
export async function recordNotifications(
  tx: Tx,
  at: Temporal.Instant,
  read: readonly ReadNotification[],
  keeps: Keeps,
): Promise<EndedNotification[]> {
  const ours = await lockClaimed(
    tx,
    read.map(({ notification }) => notification),
  );
  const mine = await dropRepetitions(
    tx,
    at,
    read.filter(({ notification }) => ours.has(notification.id)),
  );
  const results = await recordEvents(
    tx,
    at,
    mine.flatMap(({ notification, result }) =>
      'events' in result ? [{ ...notification, notificationId: notification.id, events: result.events }] : [],
    ),
  );
  const recordings = new Map(results.map((result) => [result.notificationId, result]));
  const ended = mine.map(({ notification, result }) => {
    const recording = recordings.get(notification.id);
    return { notification, outcome: recording ? recorded(recording) : withoutEvents(result) };
  });
  await finish(tx, at, ended, keeps);
  return ended;
}

export type AskingNotification = ReadNotification & { result: { confirm: Confirmation } };

/** Its sender waits for a sign of ours. */
export function isAsking(read: ReadNotification): read is AskingNotification {
  return 'confirm' in read.result;
}

export type CertifiedNotification = ReadNotification & { result: { certified: CertifiedText } };

/** Its sender has to be believed first. */
export function isCertified(read: ReadNotification): read is CertifiedNotification {
  return 'certified' in read.result && read.result.certified !== undefined;
}

/** The subscription was confirmed: from now on the webhook listens to its topic only. */
export async function recordConfirmation(
  tx: Tx,
  at: Temporal.Instant,
  { notification, result }: AskingNotification,
  keeps: Keeps,
): Promise<void> {
  const { topic } = result.confirm;
  await pinTopic(tx, at, notification.webhookId, topic);
  const said = `The subscription to ${topic} was confirmed.`;
  const outcome: Outcome = { state: 'success', reason: said, message: said };
  await finish(tx, at, [{ notification, outcome }], keeps);
}

function withoutEvents(result: AdapterResult): Outcome {
  if ('error' in result) return failed(result.error);
  return ignored('ignored' in result ? result.ignored : 'It held no event.');
}

export type EndedNotification = { notification: ClaimedNotification; outcome: Outcome };

/** Whether there is room for headers and body of a call that was worked on. */
export type Keeps = (notification: ClaimedNotification) => boolean;

/** Finishes notifications and their requests. */
export async function finish(
  tx: Tx,
  at: Temporal.Instant,
  ended: readonly EndedNotification[],
  keeps: Keeps,
): Promise<void> {
  const endings = ended.map(({ notification, outcome: { state, reason } }) => ({
    ...{ id: notification.id, state, reason },
    keep: keeps(notification),
  }));
  await together(tx, [
    (side) => finishNotifications(side, at, endings),
    (side) => requestsFinished(side, at, ended.flatMap(requestEnding)),
  ]);
}

function requestEnding({ notification, outcome }: EndedNotification): RequestEnding[] {
  const { requestId: id } = notification;
  if (id === null) return [];
  const { state, reason, message } = outcome;
  return state === 'error'
    ? [{ id, status: 'failed', message, error: reason }]
    : [{ id, status: 'succeeded', message, error: null }];
}
