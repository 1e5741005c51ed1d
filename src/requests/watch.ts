import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { findFinished } from './store.ts';

const LOOK_EVERY_MS = 100;

/**
 * Lets many callers wait for their requests with one query between them: whoever waits is told when the request has
 * finished, or when the time is up.
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

  async function look(): Promise<void> {
    try {
      for (const id of await findFinished(db, [...waiting.keys()]))
        for (const tell of waiting.get(id) ?? []) tell();
    } catch (error) {
      // Who waits gets an answer in time in any case; while the database is away that is no news.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'could not look whether requests have finished');
    }
  }

  function schedule(): void {
    if (timer || stopped || waiting.size === 0) return;
    timer = setTimeout(async () => {
      await look();
      timer = undefined;
      schedule();
    }, LOOK_EVERY_MS);
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
      for (const tellers of waiting.values()) for (const tell of tellers) tell();
    },
  };
}
