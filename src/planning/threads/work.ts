import type { JointRepair, RepairTask } from '../../covers/repairs/fewest.ts';
import type { PlanInput, PlannedShift } from '../../schedules/planner.ts';
import type { ProblemInput } from '../solver/problem.ts';
import type { Solution } from '../solver/solution.ts';
import type { Strategy } from '../strategies.ts';

/** A plan with what is kept of it: what else could have been is told in the reasons of its shifts. */
export type SolvedPlan = Omit<Solution, 'shifts'> & { shifts: PlannedShift[] };

/** What can be worked out in a thread: plain values in, plain values out. */
export type Work = {
  /** The best plan that can be found within the time. */
  bestPlan: { given: ProblemInput; result: SolvedPlan };
  /** The plan of a strategy that gives one shift away after the other. */
  inTurns: { given: { strategy: Strategy; input: PlanInput }; result: PlannedShift[] };
  /** The fewest changes that repair several covers; null when nothing was found in time. */
  fewestChanges: { given: RepairTask; result: JointRepair | null };
};

export type WorkName = keyof Work;
