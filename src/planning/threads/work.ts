import type { JointRepair, RepairTask } from '../../covers/repairs/fewest.ts';
import type { PlanInput, PlannedShift } from '../../schedules/planner.ts';
import type { ProblemInput } from '../solver/problem.ts';
import type { Solution } from '../solver/solution.ts';
import type { Strategy } from '../strategies.ts';

/** A plan without alternatives and contradictions. The reasons of its shifts contain the stored part of them. */
export type SolvedPlan = Omit<Solution, 'shifts'> & { shifts: PlannedShift[] };

/** Tasks that a thread can run. Both inputs and results are plain values. */
export type Work = {
  /** The best plan within the time limit. */
  bestPlan: { given: ProblemInput; result: SolvedPlan };
  /** The plan of a strategy that assigns shifts one by one. */
  inTurns: { given: { strategy: Strategy; input: PlanInput }; result: PlannedShift[] };
  /** The smallest repair for several covers; null if none was found in time. */
  fewestChanges: { given: RepairTask; result: JointRepair | null };
};

export type WorkName = keyof Work;
