import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { planSchedule } from './actions.ts';

/** Plans made in one round: the rest follow in the next, so that no node is busy with them for long. */
export const ROUND = 50;

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
export async function planRound(db: Database, clock: Clock, log: Log, occasion: Occasion): Promise<number> {
  const seen: string[] = [];
  let planned = 0;
  while (seen.length < ROUND) {
    const outcome = await planNext(db, clock, log, occasion, seen);
    if (outcome === 'none') break;
    if (outcome === 'planned') planned++;
  }
  return planned;
}

/** `seen` gets the schedule, so that no schedule is tried twice. */
async function planNext(
  db: Database,
  clock: Clock,
  log: Log,
  occasion: Occasion,
  seen: string[],
): Promise<'planned' | 'failed' | 'none'> {
  let scheduleId: string | null = null;
  try {
    return await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      scheduleId = await occasion.lockNext(tx, at, seen);
      if (scheduleId === null) return 'none';
      seen.push(scheduleId);
      const { gaps, ...counts } = await planSchedule(tx, at, scheduleId);
      log.info({ scheduleId, ...counts, gaps: gaps.length }, occasion.done);
      return 'planned';
    });
  } catch (error) {
    // Without a schedule to blame it is the database that cannot be used: the next round tries again.
    if (scheduleId === null) throw error;
    log.error({ err: error, scheduleId }, occasion.failed);
    return 'failed';
  }
}
