import { fair } from '../fair.ts';
import { costsOf } from './levels.ts';
import { modelOf } from './model.ts';
import { type Problem, type ProblemInput, problemOf } from './problem.ts';
import type { Programs } from './programs.ts';
import { exceeds } from './quotas.ts';
import { provenOf, type Solution, solutionOf } from './solution.ts';
import { TIME_LIMIT_SECONDS } from './time-limit.ts';
import { type Choice, collides, isPossible, termsOf, totalOf } from './valuation.ts';

/** Of the best plan so far. */
export type Progress = { seconds: number; objective: number; gap: number | null };

/**
 * The best plan that can be found within the time, never worse than the greedy one, with what it costs, what is proven
 * about that, and why each shift is whose it is. The same input gives the same plan unless time runs out.
 */
export async function solvePlan(
  programs: Programs,
  input: ProblemInput,
  timeLimitSeconds = TIME_LIMIT_SECONDS,
  progress: (soFar: Progress) => void = () => undefined,
): Promise<Solution> {
  const begun = performance.now();
  const problem = problemOf(input);
  const start = greedyChoice(input, problem);
  const model = modelOf(problem);
  const seconds = () => (performance.now() - begun) / 1_000;
  const answer = await programs.solve({ model, start, timeLimitSeconds }, (choice, bounds) => {
    const terms = termsOf(problem, choice);
    const { gap } = provenOf(costsOf(problem, terms), bounds);
    progress({ seconds: seconds(), objective: totalOf(terms), gap });
  });
  return solutionOf(input, problem, answer, start, seconds());
}

/** What the greedy form would do, with others or nobody where that breaks a rule that it does not know. */
export function greedyChoice(input: ProblemInput, problem: Problem): Choice {
  const plan = new Map(
    fair.plan(input).map(({ stage, seat, to, userId }) => [`${stage} ${seat} ${to}`, userId]),
  );
  const choice = problem.slots.map(({ place: { stage, seat, to } }) =>
    problem.people.indexOf(plan.get(`${stage} ${seat} ${to}`) ?? ''),
  );
  return isPossible(problem, choice) ? choice : madePossible(problem, choice);
}

/** One slot after the other to whom the choice says if they can, else to somebody who can. */
function madePossible(problem: Problem, wanted: Choice): Choice {
  const held: number[][] = problem.people.map(() => []);
  return wanted.map((first, slot) => {
    const able = (problem.candidates[slot] ?? []).map(({ person }) => person);
    const inOrder = able.includes(first) ? [first, ...able] : able;
    const person = inOrder.find((one) => {
      const own = held[one] ?? [];
      return !collides(problem, slot, own) && !exceeds(problem.quotas, one, [...own, slot]);
    });
    if (person !== undefined) held[person]?.push(slot);
    return person ?? -1;
  });
}
