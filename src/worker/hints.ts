import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import { notifyWorkers, runningWorkers } from './store.ts';

/**
 * Wakes a worker in another process, each time the next one: if all workers looked, most would only find that another
 * one has the work. Everything accepted while one hint is being sent shares the next one, because NOTIFY locks the
 * whole database at commit. A lost hint costs a quarter of a second, until the workers look by themselves.
 */
export function createHints(db: Database, log: Log): () => void {
  const memory = createShortMemory<number[]>((workers) => workers.length > 0);
  let running = false;
  let again = false;
  let turn = Math.floor(Math.random() * 1_000);

  async function send(): Promise<void> {
    running = true;
    do {
      again = false;
      const workers = await memory.get('workers', () => runningWorkers(db));
      await notifyWorkers(db, workers[turn++ % workers.length] ?? null);
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
