import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { planSchedule } from './actions.ts';
import { lockPlanThatRunsOut } from './plan-store.ts';

/** Plans made in one run: the rest follow in the next, so that no node is busy with them for long. */
const BATCH = 50;

/**
 * Plans on wherever the planned shifts reach less far ahead than they should, one transaction a schedule; every node
 * may do so at once. A schedule that cannot be planned is logged and does not hold up the others. Returns how many
 * were planned.
 */
export async function extendPlans(db: Database, clock: Clock, log: Log): Promise<number> {
  const failed: string[] = [];
  let planned = 0;
  while (planned + failed.length < BATCH) {
    const outcome = await extendNext(db, clock, failed, log);
    if (outcome === 'none') break;
    if (outcome === 'planned') planned++;
  }
  return planned;
}

async function extendNext(
  db: Database,
  clock: Clock,
  failed: string[],
  log: Log,
): Promise<'planned' | 'failed' | 'none'> {
  let scheduleId: string | null = null;
  try {
    return await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      scheduleId = await lockPlanThatRunsOut(tx, at, failed);
      if (scheduleId === null) return 'none';
      const { gaps, ...counts } = await planSchedule(tx, at, scheduleId);
      log.info({ scheduleId, ...counts, gaps: gaps.length }, 'a schedule was planned further ahead');
      return 'planned';
    });
  } catch (error) {
    // Without a schedule to blame it is the database that cannot be used: the next run tries again.
    if (scheduleId === null) throw error;
    log.error({ err: error, scheduleId }, 'a schedule could not be planned further ahead');
    failed.push(scheduleId);
    return 'failed';
  }
}
