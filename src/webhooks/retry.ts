import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { requeueFailed } from './received-store.ts';

/**
 * Queues a failed notification again: its stored body is read anew. Its request, once failed, stays failed; the
 * notification and its moments tell how the retry went. Unknown, or not failed: a fault.
 */
export async function retryNotification(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  notificationId: string,
): Promise<void> {
  if ((await requeueFailed(tx, at, organizationId, { notificationId })) > 0) return;
  throw new Fault('not_found', [
    { field: 'notification', message: 'is not known, or did not fail; only failed ones can be retried' },
  ]);
}

/** Queues all failed notifications of a webhook again and returns how many there were. */
export async function retryFailedNotifications(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<number> {
  return requeueFailed(tx, at, organizationId, { webhookId });
}
