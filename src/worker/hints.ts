import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { notifyWorkers } from './store.ts';

/**
 * Tells workers in other processes that there is work: one hint for everything that was accepted while the last one
 * was under way, since NOTIFY takes a lock of the whole database at commit. A hint that is lost costs a quarter of a
 * second, until the workers look by themselves.
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
      // Nothing is lost by it, so it must not end the process either.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'a hint for the workers failed');
    });
  };
}
