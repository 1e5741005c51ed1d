import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { forgetAnnounced } from '../notices/store.ts';
import { expireSwaps } from './store.ts';

const BATCH = 1_000;

/**
 * Expires swaps that nobody accepted in time, and deletes old announcements. Returns whether there is more to delete.
 */
export async function forgetAhead({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  const at = await clock.now(db);
  await expireSwaps(db, at);
  return (await forgetAnnounced(db, at, BATCH)) === BATCH;
}
