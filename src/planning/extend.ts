import type { Log } from '../kit/log.ts';
import { planRound } from './plan-round.ts';
import type { PlanningServices } from './solved-plans.ts';
import { lockPlanThatChanged, lockPlanThatRunsOut } from './store.ts';

/** Extends plans that reach less far ahead than they should. Returns how many schedules were planned. */
export function extendPlans(services: PlanningServices, log: Log): Promise<number> {
  return planRound(services, log, {
    lockNext: lockPlanThatRunsOut,
    done: 'a schedule was planned further ahead',
    failed: 'a schedule could not be planned further ahead',
  });
}

/** Replans schedules after a change that affects their plan. Returns how many were planned. */
export function replanChanged(services: PlanningServices, log: Log): Promise<number> {
  return planRound(services, log, {
    lockNext: lockPlanThatChanged,
    done: 'replanned a schedule after a change',
    failed: 'could not replan a schedule after a change',
  });
}
