import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { networkOf } from '../kit/network.ts';
import { sha256 } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { forgiveAll, forgiveOne, lockTally, saveTally } from './sign-in-store.ts';

/** How many attempts on a subject have failed. */
export type Tally = { failures: number; lastAt: Temporal.Instant; blockedUntil: Temporal.Instant | null };

/** A few typing errors cost nothing. A network has more attempts than an account, because offices share an address. */
export const FREE_TRIES = { account: 5, address: 30 } as const;
export type Subject = { kind: keyof typeof FREE_TRIES; name: string };

const FIRST_WAIT_SECONDS = 15;
/** Short enough for a person who is paged, long enough to make guessing pointless. */
const LONGEST_WAIT_SECONDS = 5 * 60;
/** After an hour without attempts the count starts again. */
const FORGIVEN_AFTER = { hours: 1 };

/** Counts an attempt as failed until it succeeds, or returns the required wait. */
export function countTry(
  tally: Tally,
  free: number,
  now: Temporal.Instant,
): { tally: Tally } | { waitSeconds: number } {
  const { blockedUntil, lastAt } = tally;
  if (blockedUntil && Temporal.Instant.compare(blockedUntil, now) > 0)
    return { waitSeconds: Math.ceil(now.until(blockedUntil).total('seconds')) };
  const old = Temporal.Instant.compare(lastAt.add(FORGIVEN_AFTER), now) <= 0;
  const failures = (old ? 0 : tally.failures) + 1;
  const wait = waitAfter(failures, free);
  return { tally: { failures, lastAt: now, blockedUntil: wait > 0 ? now.add({ seconds: wait }) : null } };
}

/** Seconds to wait after this many failures in a row: none for the free ones, then twice as long each time. */
export function waitAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(20, failures - free));
}

export type Attempts = {
  /**
   * Counts an attempt before it is made, so that concurrent ones cannot exceed the limit.
   * @throws Fault 429 with `Retry-After` when there were too many
   */
  spend(subjects: readonly Subject[]): Promise<void>;
  /** The attempt succeeded. */
  forgive(subjects: readonly Subject[]): Promise<void>;
};

export function createAttempts(db: Database, clock: Clock): Attempts {
  return {
    async spend(subjects) {
      const wait = await db.transaction().execute(async (tx) => {
        const at = await clock.now(tx);
        const counted: [Buffer, Tally][] = [];
        for (const subject of subjects) {
          const id = idOf(subject);
          const result = countTry(await lockTally(tx, at, id), FREE_TRIES[subject.kind], at);
          if ('waitSeconds' in result) return result.waitSeconds;
          counted.push([id, result.tally]);
        }
        for (const [id, tally] of counted) await saveTally(tx, id, tally);
        return 0;
      });
      if (wait > 0) throw tooMany(wait);
    },
    async forgive(subjects) {
      for (const subject of subjects)
        await (subject.kind === 'account' ? forgiveAll : forgiveOne)(db, idOf(subject));
    },
  };
}

/**
 * Accounts always come before networks, so that concurrent transactions lock rows in one order. A browser in which the
 * person has signed in before has its own limit, which strangers cannot use up.
 */
export function subjectsOf(account: string, address: string, device: string | null = null): Subject[] {
  const subject = accountSubject(account, device);
  return device === null ? [subject, addressSubject('', address)] : [subject];
}

/** The attempts on an account: from one known device, or from all others together. */
export function accountSubject(account: string, device: string | null): Subject {
  return { kind: 'account', name: device === null ? account : `${account} on ${device}` };
}

/** The attempts from one network; each `purpose` is counted separately. */
export function addressSubject(purpose: string, address: string): Subject {
  return { kind: 'address', name: `${purpose} ${networkOf(address)}`.trim() };
}

function idOf({ kind, name }: Subject): Buffer {
  return sha256(`${kind} ${name}`);
}

function tooMany(seconds: number): Fault {
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new Fault(
    'too_many_requests',
    [
      {
        field: 'sign-in',
        message: t('was tried too often; wait {wait}, or sign in with a one-time link', { wait }),
      },
    ],
    { 'retry-after': String(seconds) },
  );
}
