import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { stored, t } from '../language/contract.ts';
import { CHANNEL, type ChannelName } from '../notifications/channels/contract.ts';
import { closeProblems, noteProblem } from './store.ts';

/** A contact method, and the channel through which it was tried. */
export type TriedMethod = { organizationId: string; methodId: string; channel: ChannelName };

/**
 * Problems with contact methods, such as a webhook that answers with an error. They are collected while sending and
 * written every few seconds; the next accepted notification closes the problem.
 */
export type MethodProblems = {
  failed(tried: TriedMethod, error: string): void;
  worked(tried: Omit<TriedMethod, 'organizationId'>): void;
  flush(): Promise<void>;
};

const LONGEST_ERROR = 500;

export function createMethodProblems(db: Database, clock: Clock): MethodProblems {
  const failures = new Map<string, TriedMethod & { error: string; count: number }>();
  const healed = new Set<string>();

  return {
    failed(tried, error) {
      const subject = methodSubject(tried);
      healed.delete(subject);
      failures.set(subject, { ...tried, error, count: (failures.get(subject)?.count ?? 0) + 1 });
    },
    worked(tried) {
      healed.add(methodSubject(tried));
    },
    async flush() {
      const noted = [...failures];
      const well = [...healed];
      failures.clear();
      healed.clear();
      for (const [subject, { organizationId, channel, error, count }] of noted)
        await noteProblem(db, clock, {
          organizationId,
          subject,
          count,
          code: 'contact_method',
          fix: fixOf(channel),
          message: error.slice(0, LONGEST_ERROR).toWellFormed(),
        });
      if (well.length > 0) await closeProblems(db, clock, well);
    },
  };
}

function fixOf(channel: ChannelName): string {
  // In English, because it is written by a duty.
  const repair = CHANNEL[channel].method?.repair ?? t('Check the address');
  return stored(
    '{repair}, or change or remove the contact method in the profile, then send a test from there. Until a notification gets through, pages reach this person only by their other contact methods.',
    { repair },
  );
}

/** `contact_method:<id>:<channel>`, from which the store reads the id. */
function methodSubject({ methodId, channel }: Omit<TriedMethod, 'organizationId'>): string {
  return `contact_method:${methodId}:${channel}`;
}
