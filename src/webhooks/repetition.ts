import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { sha256 } from '../kit/sealing.ts';
import { type FirstDelivery, rememberDeliveries } from './delivery-store.ts';
import type { ReadNotification } from './record.ts';

const LONGEST = 255;

/** A delivery's number as it is remembered. */
export function storedDeliveryId(deliveryId: string): string | null {
  const text = deliveryId.toWellFormed().replaceAll('\u0000', '').trim();
  if (text === '') return null;
  return text.length <= LONGEST ? text : sha256(text).toString('hex');
}

/**
 * Makes `ignored` of what was delivered before under the same number. Only deliveries that held events are remembered:
 * what failed, or fell through a filter, may be sent again by its sender and is then read like the first.
 */
export async function dropRepetitions(
  tx: Tx,
  at: Temporal.Instant,
  read: readonly ReadNotification[],
): Promise<ReadNotification[]> {
  const numbered = read.filter(({ deliveryId, result }) => deliveryId !== null && 'events' in result);
  if (numbered.length === 0) return [...read];
  const firsts = await rememberDeliveries(
    tx,
    at,
    numbered.map(({ notification: { id, webhookId, receivedAt }, deliveryId }) => ({
      ...{ webhookId, receivedAt, notificationId: id, deliveryId: deliveryId ?? '' },
    })),
  );
  const firstOf = new Map(firsts.map((first) => [nameOf(first.webhookId, first.deliveryId), first]));
  return read.map((one) => {
    const { notification, deliveryId, result } = one;
    const first = deliveryId !== null && firstOf.get(nameOf(notification.webhookId, deliveryId));
    if (!first || !('events' in result) || first.notificationId === notification.id) return one;
    return { ...one, result: { ignored: repetitionSentence(first) } };
  });
}

function repetitionSentence({ deliveryId, notificationId, receivedAt }: FirstDelivery): string {
  return `It repeats the delivery ${deliveryId}, which came as ${notificationId} at ${instantText(receivedAt)}.`;
}

function nameOf(webhookId: string, deliveryId: string): string {
  return `${webhookId} ${deliveryId}`;
}
