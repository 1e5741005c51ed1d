import type { Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { lockWebhooks } from '../moments/store.ts';
import { sourceAdapter } from '../sources/adapters.ts';
import { linkMomentsLater } from '../sources/paging.ts';
import { forgetBodies, readCalls } from '../webhooks/call-store.ts';
import { type Keeps, recordMomentsLater } from '../webhooks/record.ts';
import type { Aboard } from './aboard-store.ts';
import { nowOf, outcomesOf } from './land-store.ts';

/**
 * Takes the locks of `recordMomentsOf`, which are always taken before those of dedup keys, so that nothing deadlocks.
 */
export async function lockMoments(tx: Tx, { received_notifications: calls }: Aboard): Promise<void> {
  const ids = new Set(calls.map(({ webhook_id }) => String(webhook_id)));
  if (ids.size > 0) await lockWebhooks(tx, [...ids]);
}

/**
 * Records the moments of calls that a lifeboat has processed, links them with their pages, and deletes the bodies that
 * the main database does not keep. A moment that cannot be recorded is logged, and does not prevent a page from
 * landing.
 */
export async function recordMomentsOf(
  tx: Tx,
  ids: readonly string[],
  { keeps, log }: { keeps: Keeps; log: Log },
): Promise<void> {
  if (ids.length === 0) return;
  const calls = await readCalls(tx, ids);
  const at = Temporal.Instant.from(await nowOf(tx));
  const recorded = await recordMomentsLater(tx, at, calls, {
    paging: { adapterFor: sourceAdapter },
    failed: (err) =>
      log.error({ err, calls: ids }, 'moments of calls that a lifeboat accepted could not be recorded'),
  });
  const requests = calls.flatMap(({ requestId }) => requestId ?? []);
  await linkMomentsLater(tx, at, recorded, await outcomesOf(tx, requests));
  await forgetBodies(
    tx,
    calls.filter((call) => !keeps(call)).map(({ id }) => id),
  );
}
