import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { lockPlanToRepair, plansToRepair } from './due-plan-store.ts';
import { planRound, ROUND } from './plan-round.ts';

/**
 * Gives shifts to come to others where their people turned out to be away, in the schedules that say `cover: apply`.
 * Answers whether there may be more to repair.
 */
export async function repairPlans(db: Database, clock: Clock, log: Log): Promise<boolean> {
  const found = await plansToRepair(db, await clock.now(db), null, ROUND);
  const repaired = await planRound(db, clock, log, {
    async lockNext(tx, at) {
      for (let id = found.shift(); id !== undefined; id = found.shift())
        if (await lockPlanToRepair(tx, at, id)) return id;
      return null;
    },
    done: 'a schedule was repaired after somebody turned out to be away',
    failed: 'a schedule could not be repaired although somebody turned out to be away',
  });
  return repaired === ROUND;
}
