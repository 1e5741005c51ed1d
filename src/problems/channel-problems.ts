import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { closeProblems, noteProblem } from './store.ts';

type Trouble = { code: string; fix: string; message: string; count: number };

/**
 * Trouble with providers, gathered from the sending path and written every few seconds: a storm of failures must not
 * become a storm of writes. A channel that works again closes what was open about it.
 */
export type ChannelProblems = {
  failed(channel: string, problem: { code: string; fix: string }, message: string): void;
  worked(channel: string): void;
  flush(): Promise<void>;
};

export function createChannelProblems(db: Database, clock: Clock, log: Log): ChannelProblems {
  const troubles = new Map<string, Trouble>();
  const healed = new Set<string>();
  /** Channels whose problems may be open in the database; all of them at first, since a former process may have written. */
  const troubled = new Map<string, boolean>();

  return {
    failed(channel, problem, message) {
      const name = `${channel} ${problem.code}`;
      const known = troubles.get(name);
      if (!known)
        log.warn(
          { channel, problem: problem.code, fix: problem.fix },
          'a notification channel does not work',
        );
      troubles.set(name, { ...problem, message, count: (known?.count ?? 0) + 1 });
      healed.delete(channel);
      troubled.set(channel, true);
    },
    worked(channel) {
      if (troubled.get(channel) === false) return;
      healed.add(channel);
    },
    async flush() {
      const written = [...troubles];
      troubles.clear();
      for (const [name, { code, fix, message, count }] of written) {
        const [channel] = name.split(' ');
        await noteProblem(db, clock, {
          organizationId: null,
          subject: `channel:${channel}`,
          code,
          message,
          fix,
          count,
        });
      }
      for (const channel of [...healed]) {
        healed.delete(channel);
        await closeProblems(db, clock, null, `channel:${channel}`);
        troubled.set(channel, false);
      }
    },
  };
}
