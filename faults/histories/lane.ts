import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TestDatabase } from '../../testing/database.ts';
import type { History } from './history.ts';
import { couldNotPlay, type Played } from './played.ts';

/** Where histories are played. */
export type Ground = {
  /** A new database with the newest schema. */
  database(): Promise<TestDatabase>;
  /** The server of the database, which no other lane uses. Without it, a lane only cuts and restricts connections. */
  server?: OwnServer;
  /** Called when no more histories are played on it. */
  remove?(): Promise<void>;
};

/** What histories do to a PostgreSQL server. */
export type OwnServer = {
  /** Kills it and starts it again. */
  kill(): Promise<void>;
  /** Makes it a standby that takes no writes, until `promote`. */
  standBy(): Promise<void>;
  /** Does nothing if it already takes writes. */
  promote(): Promise<void>;
};

/** Plays one history after the other, beside other lanes. */
export type Lane = {
  play(history: History): Promise<Played>;
  end(): Promise<void>;
};

export type LaneData = { url: string; hasServer: boolean };
export type ToLane = { what: 'play'; history: History } | { what: 'done' } | { what: 'end' };
export type FromLane =
  | { what: 'ready' }
  | { what: 'server'; to: keyof OwnServer }
  | { what: 'played'; played: Played };

/** A database collects rows and its clock moves by years, so a service is replaced from time to time. */
const HISTORIES_PER_SERVICE = 1_000;

/** A history takes seconds. One that takes longer than this hangs, and would hold up the whole run. */
const LONGEST_MS = 300_000;

/** A lane whose service runs in a thread of its own. The service is replaced when it may be damaged. */
export function laneOn(ground: Ground): Lane {
  let thread: Thread | null = null;
  let played = 0;
  async function end(): Promise<void> {
    await thread?.end();
    thread = null;
    played = 0;
  }
  return {
    async play(history) {
      thread ??= await startThread(ground);
      const result = await thread.play(history);
      if (result.isUnusable || ++played === HISTORIES_PER_SERVICE) await end();
      return result;
    },
    async end() {
      await end();
      await ground.remove?.();
    },
  };
}

type Thread = { play(history: History): Promise<Played>; end(): Promise<void> };

async function startThread(ground: Ground): Promise<Thread> {
  const database = await ground.database();
  const data: LaneData = { url: database.url, hasServer: ground.server !== undefined };
  const worker = new Worker(new URL('./lane-thread.ts', import.meta.url), { workerData: data });
  const exited = once(worker, 'exit');
  let waiting = Promise.withResolvers<Played | null>();
  const answer = waiting.promise;
  worker.on('error', (error) => waiting.reject(error));
  worker.on('exit', () => waiting.reject(new Error('the thread that plays histories ended')));
  worker.on('message', async (message: FromLane) => {
    if (message.what === 'played') waiting.resolve(message.played);
    else if (message.what === 'ready') waiting.resolve(null);
    else {
      await ground.server?.[message.to]();
      worker.postMessage({ what: 'done' } satisfies ToLane);
    }
  });
  await answer;
  return {
    async play(history) {
      waiting = Promise.withResolvers();
      const timer = setTimeout(() => {
        waiting.reject(new Error(`the history was not played after ${LONGEST_MS / 60_000} minutes`));
        void worker.terminate();
      }, LONGEST_MS);
      worker.postMessage({ what: 'play', history } satisfies ToLane);
      try {
        return (await waiting.promise) ?? couldNotPlay('the thread answered nothing');
      } catch (error) {
        return couldNotPlay(error);
      } finally {
        clearTimeout(timer);
      }
    },
    async end() {
      waiting = Promise.withResolvers();
      waiting.promise.catch(() => undefined);
      worker.postMessage({ what: 'end' } satisfies ToLane);
      await exited.catch(() => undefined);
      // A history that failed during a switchover leaves a standby.
      await ground.server?.promote();
      await database.drop();
    },
  };
}
