import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { findFinished } from './store.ts';

const CHECK_EVERY_MS = 100;

/**
 * Lets many callers wait for their requests to finish, with one query for all of them.
 */
export type RequestWatch = {
  /** Resolves when the request has finished, after `withinMs`, or when `signal` fires. */
  finished(requestId: string, withinMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
};

export function createRequestWatch(db: Database, log: Log): RequestWatch {
  const waiting = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function check(): Promise<void> {
    try {
      for (const id of await findFinished(db, [...waiting.keys()]))
        for (const resolve of waiting.get(id) ?? []) resolve();
    } catch (error) {
      // Callers are answered when their time is up in any case, and an outage of the database is logged elsewhere.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'could not check whether requests have finished');
    }
  }

  function schedule(): void {
    if (timer || stopped || waiting.size === 0) return;
    timer = setTimeout(async () => {
      await check();
      timer = undefined;
      schedule();
    }, CHECK_EVERY_MS);
  }

  return {
    finished(requestId, withinMs, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const mine = waiting.get(requestId) ?? new Set();
      waiting.set(requestId, mine.add(resolve));
      const late = setTimeout(resolve, withinMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
      schedule();
      return promise.finally(() => {
        clearTimeout(late);
        mine.delete(resolve);
        if (mine.size === 0) waiting.delete(requestId);
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const callers of waiting.values()) for (const resolve of callers) resolve();
    },
  };
}
