import { programsHere } from '../../src/optimizer/programs.ts';
import type { Solver } from '../../src/planning/threads/solver.ts';
import { workOut } from '../../src/planning/threads/work-out.ts';

/** Solves on the thread of the test, because a thread for each of hundreds of plans would be slow. */
export function solverForTests({ mostSeconds = Number.POSITIVE_INFINITY } = {}): Solver {
  const programs = programsHere({ mostSeconds });
  return {
    bestPlan: (input, progress) => workOut('bestPlan', input, programs, progress),
    inTurns: (strategy, input) => workOut('inTurns', { strategy, input }, programs),
    fewestChanges: (task) => workOut('fewestChanges', task, programs),
  };
}
