import type { RepairSolver } from '../../covers/repairs/fewest.ts';
import type { PlanInput, PlannedShift } from '../../schedules/planner.ts';
import type { Progress } from '../solver/planning.ts';
import type { ProblemInput } from '../solver/problem.ts';
import { STRATEGIES, type Strategy } from '../strategies.ts';
import { inThread } from './thread.ts';
import type { SolvedPlan } from './work.ts';

/** Solves plans and repairs in worker threads, so that the main thread keeps answering requests. */
export type Solver = RepairSolver & {
  /** The best plan within the time limit; `progress` is called for each better one. */
  bestPlan(input: ProblemInput, progress?: (soFar: Progress) => void): Promise<SolvedPlan>;
  /** The plan of a strategy that assigns shifts one by one: fast enough for a transaction to wait for. */
  inTurns(strategy: Strategy, input: PlanInput): Promise<PlannedShift[]>;
};

/** Below this many choices, planning takes less than ten milliseconds, and starting a thread takes longer. */
const MANY_CHOICES = 2_000;

/**
 * Solves one plan or repair at a time, in order of request, each in its own thread. `inTurns` has a separate queue and
 * does not wait for them. `mostSeconds`: time limit for one program of the solver.
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
        // Includes the time of a failed first thread.
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
