import { isDatabaseAway } from '../db/away.ts';
import type { Log } from '../kit/log.ts';

/**
 * Periodic work, such as removing old rows or planning ahead. Each run does a limited batch and returns whether there is more.
 * Every duty may run on several nodes at the same time.
 */
export type Duty = { name: string; everyMs: number; run(): Promise<boolean> };

export type Duties = {
  start(): void;
  stop(): Promise<void> /** Runs each once, until none has more to do. */;
  runAll(): Promise<void>;
};

export function createDuties(duties: readonly Duty[], log: Log): Duties {
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let stopping = false;

  async function runOne(duty: Duty): Promise<void> {
    while (!stopping && (await duty.run()));
  }

  function schedule(duty: Duty, delayMs: number): void {
    const timer = setTimeout(() => {
      const work = runOne(duty)
        .catch((error) =>
          log[isDatabaseAway(error) ? 'warn' : 'error'](
            { err: error, duty: duty.name },
            'a duty failed and will run again',
          ),
        )
        .finally(() => {
          running.delete(work);
          if (!stopping) schedule(duty, duty.everyMs);
        });
      running.add(work);
    }, delayMs);
    timers.set(duty.name, timer.unref());
  }

  return {
    start() {
      // A random delay, so that nodes do not run it at the same time, nor during the start.
      for (const duty of duties) schedule(duty, Math.min(5_000, duty.everyMs) * (0.5 + Math.random()));
    },
    async stop() {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
    async runAll() {
      for (const duty of duties) await runOne(duty);
    },
  };
}
