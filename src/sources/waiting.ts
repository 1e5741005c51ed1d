import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { lockKeys } from '../pages/keyed-store.ts';
import { applyEvents, type EventServices } from './apply-events.ts';
import { dueWaiting, takeWaiting } from './store.ts';

/**
 * Raises the pages whose wait has ended, at most `limit`. Pages that a window or hours still hold continue to wait.
 * Returns how many were due. Several nodes may do this at the same time.
 */
export async function raiseWaiting(
  services: EventServices & { db: Database; clock: Clock },
  limit: number,
): Promise<number> {
  const { db, clock } = services;
  const due = await dueWaiting(db, clock, limit);
  if (due.length === 0) return 0;
  const afterCommit = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    // The keys are locked first, as everywhere, so that an event of one of them cannot deadlock with this.
    await lockKeys(
      tx,
      due.map(({ organizationId, sourceId, dedupKey }) => ({ organizationId, scope: sourceId, dedupKey })),
    );
    const taken = await takeWaiting(
      tx,
      at,
      due.map(({ id }) => id),
    );
    const applied = await applyEvents(
      tx,
      services,
      at,
      taken.map((one) => ({ ...one, mayWait: false })),
    );
    return applied.afterCommit;
  });
  afterCommit();
  return due.length;
}
