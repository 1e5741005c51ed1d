import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { notifyWorkers } from './store.ts';

/**
 * Wakes workers in other processes. Everything accepted while one hint is being sent shares the next one, because NOTIFY locks
 * the whole database at commit. A lost hint costs a quarter of a second, until the workers look by themselves.
 */
export function createHints(db: Database, log: Log): () => void {
  let running = false;
  let again = false;

  async function send(): Promise<void> {
    running = true;
    do {
      again = false;
      await notifyWorkers(db);
    } while (again);
    running = false;
  }

  return () => {
    again = true;
    if (running) return;
    send().catch((error) => {
      running = false;
      // A lost hint does no harm, so it must not end the process.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'could not send a hint to the workers');
    });
  };
}
