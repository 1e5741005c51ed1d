import type { Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { planSchedule } from './actions.ts';
import { type PlanningServices, withSolvedPlans } from './solved-plans.ts';

/** Plans made in one round: the rest follow in the next, so that no node is busy with them for long. */
const ROUND = 50;

/** Why schedules are planned by themselves. */
export type Occasion = {
  /** A schedule that has to be planned, its row locked; `except`: schedules to leave out. */
  lockNext(tx: Tx, at: Temporal.Instant, except: readonly string[]): Promise<string | null>;
  /** What the log says of a schedule. */
  done: string;
  failed: string;
};

/**
 * Plans the schedules that an occasion names, one transaction each; every node may do so at once. A schedule that
 * cannot be planned is logged and does not hold up the others. Returns how many were planned, `ROUND` at most.
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

/** `seen` gets the schedule, so that no schedule is tried twice. */
async function planNext(
  services: PlanningServices,
  log: Log,
  occasion: Occasion,
  seen: string[],
): Promise<'planned' | 'failed' | 'none'> {
  let scheduleId: string | null = null;
  try {
    const summary = await withSolvedPlans(services, async (tx, at, plans) => {
      // Once its plan is solved it is still this one's turn.
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
    // Without a schedule to blame it is the database that cannot be used: the next round tries again.
    if (scheduleId === null) throw error;
    log.error({ err: error, scheduleId }, occasion.failed);
    return 'failed';
  }
}
