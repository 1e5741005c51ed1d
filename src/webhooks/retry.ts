import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { requeueFailed } from './call-store.ts';

/**
 * Queues a failed call again, so that its stored body is processed once more. Its request stays failed; the call and
 * its moments show the result. @throws Fault `not_found` if the call is unknown or did not fail
 */
export async function retryCall(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  callId: string,
): Promise<void> {
  if ((await requeueFailed(tx, at, organizationId, { callId })) > 0) return;
  throw new Fault('not_found', [
    {
      field: 'notification',
      message: t('This notification is unknown or did not fail; only failed ones can be retried.'),
    },
  ]);
}

/** Queues all failed calls of a webhook again. Returns how many were queued. */
export async function retryFailedCalls(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<number> {
  return requeueFailed(tx, at, organizationId, { webhookId });
}
