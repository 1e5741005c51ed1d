import type { Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { planSchedule } from './actions.ts';
import { type PlanningServices, withSolvedPlans } from './solved-plans.ts';

/**
 * The most plans in one round. The rest follow in the next round, so that planning does not block the node for long.
 */
const ROUND = 50;

/** Why the service plans schedules. */
export type Occasion = {
  /** Locks a schedule that has to be planned and returns its id; `except`: schedules to leave out. */
  lockNext(tx: Tx, at: Temporal.Instant, except: readonly string[]): Promise<string | null>;
  /** Log messages for a schedule that was planned, and for one that could not be. */
  done: string;
  failed: string;
};

/**
 * Plans the schedules of an occasion, each in its own transaction; all nodes may do so at the same time. A schedule
 * that cannot be planned is logged and does not block the others.
 * @returns how many were planned, at most `ROUND`
 */
export async function planRound(services: PlanningServices, log: Log, occasion: Occasion): Promise<number> {
  const seen: string[] = [];
  let planned = 0;
  while (seen.length < ROUND) {
    const outcome = await planNext(services, log, occasion, seen);
    if (outcome === 'none') break;
    if (outcome === 'planned') planned++;
  }
  return planned;
}

/** Adds the schedule to `seen`, so that it is tried only once. */
async function planNext(
  services: PlanningServices,
  log: Log,
  occasion: Occasion,
  seen: string[],
): Promise<'planned' | 'failed' | 'none'> {
  let scheduleId: string | null = null;
  try {
    const summary = await withSolvedPlans(services, async (tx, at, plans) => {
      // When the transaction runs again with a solved plan, it continues with the same schedule.
      if (scheduleId === null) {
        scheduleId = await occasion.lockNext(tx, at, seen);
        if (scheduleId === null) return null;
        seen.push(scheduleId);
      }
      return planSchedule(tx, at, scheduleId, plans);
    });
    if (!summary) return 'none';
    const { gaps, ...counts } = summary;
    log.info({ scheduleId, ...counts, gaps: gaps.length }, occasion.done);
    return 'planned';
  } catch (error) {
    // If no schedule was chosen yet, the error comes from the database, and the next round tries again.
    if (scheduleId === null) throw error;
    log.error({ err: error, scheduleId }, occasion.failed);
    return 'failed';
  }
}
