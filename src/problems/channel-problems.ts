import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { closeProblems, noteProblem } from './store.ts';

type Trouble = { channel: string; code: string; fix: string; message: string; count: number };

/**
 * Problems with providers. They are collected while sending and written every few seconds, so that a storm of failures
 * does not become a storm of writes. A channel that works again closes its problems, whichever node opened them.
 */
export type ChannelProblems = {
  failed(channel: string, problem: { code: string; fix: string }, message: string): void;
  worked(channel: string): void;
  flush(): Promise<void>;
};

export function createChannelProblems(db: Database, clock: Clock, log: Log): ChannelProblems {
  const troubles = new Map<string, Trouble>();
  const healed = new Set<string>();

  return {
    failed(channel, problem, message) {
      const name = `${channel} ${problem.code}`;
      const known = troubles.get(name);
      if (!known)
        log.warn(
          { channel, problem: problem.code, fix: problem.fix },
          'a notification channel does not work',
        );
      troubles.set(name, { ...problem, channel, message, count: (known?.count ?? 0) + 1 });
      healed.delete(channel);
    },
    worked(channel) {
      healed.add(channel);
    },
    async flush() {
      const noted = [...troubles.values()];
      const well = [...healed];
      troubles.clear();
      healed.clear();
      for (const { channel, ...problem } of noted)
        await noteProblem(db, clock, { ...problem, organizationId: null, subject: channelSubject(channel) });
      if (well.length > 0) await closeProblems(db, clock, well.map(channelSubject));
    },
  };
}

export function channelSubject(channel: string): string {
  return `channel:${channel}`;
}
