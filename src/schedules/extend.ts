import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { lockPlanThatRunsOut } from './due-plan-store.ts';
import { planRound } from './plan-round.ts';

/** Plans on wherever the planned shifts reach less far ahead than they should. Returns how many were planned. */
export function extendPlans(db: Database, clock: Clock, log: Log): Promise<number> {
  return planRound(db, clock, log, {
    lockNext: lockPlanThatRunsOut,
    done: 'a schedule was planned further ahead',
    failed: 'a schedule could not be planned further ahead',
  });
}
