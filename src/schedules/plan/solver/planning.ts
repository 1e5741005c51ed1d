import { fair } from '../fair.ts';
import { modelOf } from './model.ts';
import { type Problem, type ProblemInput, problemOf } from './problem.ts';
import { type Solution, solutionOf } from './solution.ts';
import type { Solver } from './thread.ts';
import { type Choice, isPossible } from './valuation.ts';

const TIME_LIMIT_SECONDS = 10;

/**
 * The best plan that can be found within the time, never worse than the greedy one, with what it costs, what is proven
 * about that, and why each shift is whose it is. The same input gives the same plan unless time runs out.
 */
export async function solvePlan(
  solver: Solver,
  input: ProblemInput,
  timeLimitSeconds = TIME_LIMIT_SECONDS,
): Promise<Solution> {
  const problem = problemOf(input);
  const greedy = greedyChoice(input, problem);
  const answer = await solver.solve({ model: modelOf(problem), start: greedy, timeLimitSeconds });
  return solutionOf(input, problem, answer, greedy);
}

/** What the greedy form would do; null where that breaks a rule of this one. */
export function greedyChoice(input: ProblemInput, problem: Problem): Choice | null {
  const plan = new Map(
    fair.plan(input).map(({ stage, seat, to, userId }) => [`${stage} ${seat} ${to}`, userId]),
  );
  const choice = problem.slots.map(({ place: { stage, seat, to } }) =>
    problem.people.indexOf(plan.get(`${stage} ${seat} ${to}`) ?? ''),
  );
  return isPossible(problem, choice) ? choice : null;
}
