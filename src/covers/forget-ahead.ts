import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { forgetAnnounced } from '../schedules/ahead/soon-store.ts';
import { expireSwaps } from './swap-store.ts';

const BATCH = 1_000;

/** Ends swaps that nobody agreed to in time, and forgets what was announced long ago; answers whether there is more. */
export async function forgetAhead({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  const at = await clock.now(db);
  await expireSwaps(db, at);
  return (await forgetAnnounced(db, at, BATCH)) === BATCH;
}
