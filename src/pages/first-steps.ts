import { isOutcomeUnknown } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { keepIf } from '../db/savepoint.ts';
import { shortTransaction } from '../db/short-transaction.ts';
import type { Log } from '../kit/log.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import type { Storing } from './notifier.ts';
import { acceptingWithFirstSteps, type DueStep, type FirstSteps, onCallOfTeam } from './step-store.ts';
import { type Deciding, decideSteps, type ReadForSteps } from './steps.ts';
import { newPage, type PageRow } from './store.ts';
import type { PagedTeam } from './team-escalation.ts';

/**
 * The first steps of pages in the transaction that writes the pages, so that a page leaves right after its commit. Whatever
 * prevents that, such as a damaged schedule or a lock, does not prevent the pages: they are written alone, and workers run their steps.
 */
export type FirstStepServices = Deciding & {
  clock: Clock;
  /** Left out if this process never runs first steps. */
  firstSteps?: {
    /** Whether it can run them at the moment. */
    mayRun(): boolean;
    log: Log;
  };
};

/** More pages or teams would hold up other pages; workers take such pages in turn. */
export const MOST_PAGES = 100;
export const MOST_TEAMS = 4;

/** More people would hold up other pages. */
export const MOST_NOTIFIED_AT_ONCE = 500;

/** How long the transaction waits for a lock that only a first step needs. */
const PATIENCE_MS = 250;

/** A page that is about to be written, and the stage with which it begins; null for the lowest, and for people. */
export type BeginningPage = { page: PageRow; stage: number | null };

/** Whether the first steps of so many new pages of these teams may run as they are written. */
export function mayRunFirstSteps(
  { firstSteps }: FirstStepServices,
  pages: number,
  teams: readonly unknown[],
): boolean {
  return pages > 0 && pages <= MOST_PAGES && teams.length <= MOST_TEAMS && (firstSteps?.mayRun() ?? false);
}

/** What became of requests: the ids of the new ones, and what to do after the commit. */
type Run = { written: Set<string>; send(): void; followedAtOnce: boolean };

/**
 * Writes requests with their pages, and runs the first steps of the pages in the same statement. What the steps of `team`
 * need is read with the beginning of the transaction. Null, with nothing written, if workers have to run them. Rejects when the
 * connection broke and nobody knows whether they are written.
 */
export async function acceptWithFirstSteps(
  services: FirstStepServices,
  handle: Exclude<Handle, Tx>,
  items: readonly Acceptance[],
  team: PagedTeam | null,
): Promise<Run | null> {
  try {
    return await accept(services, handle, items, team);
  } catch (error) {
    if (isOutcomeUnknown(error)) throw error;
    leaveToWorkers(services, error);
    return null;
  }
}

async function accept(
  services: FirstStepServices,
  handle: Exclude<Handle, Tx>,
  items: readonly Acceptance[],
  team: PagedTeam | null,
): Promise<Run | null> {
  const { clock } = services;
  const beginning = {
    ahead: null,
    patienceMs: PATIENCE_MS,
    first: (tx: Tx) =>
      Promise.all([clock.now(tx), team ? onCallOfTeam(clock, team).execute(tx) : { rows: [] }]),
  };
  const { result, rows, last } = await shortTransaction(
    handle,
    beginning,
    async (tx, [at, { rows: ahead }]) => {
      const pages = items.map((item) => ({ page: newPage(item, at), stage: null }));
      const steps = await decide(tx, services, pages, { ahead, at });
      if (!steps) return { result: null, last: [], after: null };
      const statement = acceptingWithFirstSteps(clock, items, steps);
      return { result: steps, last: [statement], after: steps.storing.read };
    },
  );
  if (!result) return null;
  const { storing, followedAtOnce } = result;
  const written = new Set((last[0]?.rows ?? []).map(({ request_id }) => request_id));
  return { written, followedAtOnce, send: () => storing.send(rows) };
}

/**
 * Writes new pages with `write`, in a transaction that has done other work before. `write` gets their first steps, null if workers
 * run them. Returns what to do after the commit; null if workers have to be woken.
 */
export async function writeWithFirstSteps(
  tx: Tx,
  services: FirstStepServices,
  pages: readonly BeginningPage[],
  { at, write }: { at: Temporal.Instant; write(tx: Tx, steps: FirstSteps | null): Promise<void> },
): Promise<{ send(): void; followedAtOnce: boolean } | null> {
  const teams = [...new Set(pages.flatMap(({ page: { teamId } }) => teamId ?? []))];
  let decided: DecidedSteps | null = null;
  if (mayRunFirstSteps(services, pages.length, teams))
    try {
      const work = async (inside: Tx) => {
        const steps = await decide(inside, services, pages, { ahead: [], at });
        if (steps) await write(inside, steps);
        decided = steps;
        return steps !== null;
      };
      await keepIf(tx, work, PATIENCE_MS);
    } catch (error) {
      if (isOutcomeUnknown(error)) throw error;
      leaveToWorkers(services, error);
      decided = null;
    }
  const steps = decided as DecidedSteps | null;
  if (!steps) {
    await write(tx, null);
    return null;
  }
  return { followedAtOnce: steps.followedAtOnce, send: () => steps.storing.send(null) };
}

function leaveToWorkers({ firstSteps }: FirstStepServices, error: unknown): void {
  firstSteps?.log.warn({ err: error }, 'pages were not sent as they were accepted; a worker will send them');
}

/** Decided first steps, not stored yet. */
type DecidedSteps = FirstSteps & {
  storing: Storing;
  /** Whether steps follow that are due at once. */
  followedAtOnce: boolean;
};

/** Null if a step reaches nobody, so that another one has to follow, or if they notify more than `MOST_NOTIFIED_AT_ONCE` people. */
async function decide(
  tx: Tx,
  services: FirstStepServices,
  pages: readonly BeginningPage[],
  read: Pick<ReadForSteps, 'ahead' | 'at'>,
): Promise<DecidedSteps | null> {
  const steps = pages.map((one) => firstStepOf(one, read.at));
  const { prepared, next, events, hopeless, followedAtOnce } = await decideSteps(tx, services, steps, read);
  const notified = prepared.runs.reduce((sum, { userIds }) => sum + userIds.length, 0);
  if (hopeless.length > 0 || notified > MOST_NOTIFIED_AT_ONCE) return null;
  return { next, events, storing: await prepared.storing(tx), followedAtOnce };
}

function firstStepOf({ page, stage }: BeginningPage, at: Temporal.Instant): DueStep {
  const kind = page.kind === 'team' ? 'stage' : 'person';
  const step = { kind, stage, round: 1 } as const;
  return { id: 0, step, page, failures: 0, mayRepeat: false, hasNotified: false, now: at };
}
