import type { RepairSolver } from '../../covers/repairs/fewest.ts';
import type { PlanInput, PlannedShift } from '../../schedules/planner.ts';
import type { Progress } from '../solver/planning.ts';
import type { ProblemInput } from '../solver/problem.ts';
import { STRATEGIES, type Strategy } from '../strategies.ts';
import { inThread } from './thread.ts';
import type { SolvedPlan } from './work.ts';

/** Makes plans and repairs away from the thread that answers requests. */
export type Solver = RepairSolver & {
  /** The best plan that can be found; `progress` hears of every better one. */
  bestPlan(input: ProblemInput, progress?: (soFar: Progress) => void): Promise<SolvedPlan>;
  /** The plan of a strategy that gives one shift away after the other: a transaction may wait for it. */
  inTurns(strategy: Strategy, input: PlanInput): Promise<PlannedShift[]>;
};

/** With fewer choices a plan is made within ten milliseconds: beginning a thread takes longer. */
const MANY_CHOICES = 2_000;

/**
 * One plan or repair at a time, in the order of asking, each in a thread of its own that ends with it. What is made in
 * turns does not wait for them. `mostSeconds`: for a program of the solver.
 */
export function createSolver({
  mostSeconds = Number.POSITIVE_INFINITY,
  worker = new URL('./worker.ts', import.meta.url),
} = {}): Solver {
  const options = { mostSeconds, worker, progress: () => undefined };
  const [programs, turns] = [oneAtATime(), oneAtATime()];
  return {
    bestPlan: (input, progress = () => undefined) =>
      programs(async () => {
        const begun = performance.now();
        const plan = await inThread('bestPlan', input, { ...options, progress });
        // Also what a thread took that failed.
        return { ...plan, seconds: (performance.now() - begun) / 1_000 };
      }),
    fewestChanges: (task) => programs(() => inThread('fewestChanges', task, options)),
    async inTurns(strategy, input) {
      if (choicesIn(input) < MANY_CHOICES) return STRATEGIES[strategy].plan(input);
      return turns(() => inThread('inTurns', { strategy, input }, options));
    },
  };
}

function oneAtATime(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

function choicesIn({ stages }: PlanInput): number {
  return stages
    .flatMap(({ members, places }) => places.map(({ kept }) => (kept ? 1 : members.length)))
    .reduce((sum, choices) => sum + choices, 0);
}
