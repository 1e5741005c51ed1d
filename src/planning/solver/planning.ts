import type { Interval } from '../../kit/interval.ts';
import type { Bounds, SolverAnswer } from '../../optimizer/answer.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import type { Choice } from '../../optimizer/program.ts';
import type { Programs } from '../../optimizer/programs.ts';
import type { Extra } from '../../schedules/planner.ts';
import { fair } from '../fair.ts';
import { withoutAlone } from './companions.ts';
import { personApart } from './conflicts.ts';
import { costsOf } from './costs.ts';
import { countsExactly, modelOf, STEPS_BEYOND } from './model.ts';
import { type Problem, type ProblemInput, problemOf } from './problem.ts';
import { exceeds } from './quotas.ts';
import { provenOf, type Solution, solutionOf } from './solution.ts';
import { TIME_LIMIT_SECONDS } from './time-limit.ts';
import { collides, isPossible, termsOf, totalOf } from './valuation.ts';

/** Figures of the best plan so far. */
export type Progress = { seconds: number; objective: number; gap: number | null };

/**
 * Finds the best plan within the time limit, never worse than the greedy one, with its cost, what is proven about it,
 * and the reason for each shift. The same input gives the same plan unless time runs out.
 */
export async function solvePlan(
  programs: Programs,
  given: ProblemInput,
  timeLimitSeconds = TIME_LIMIT_SECONDS,
  progress: (soFar: Progress) => void = () => undefined,
): Promise<Solution> {
  const begun = performance.now();
  const input = inFixedOrder(given);
  const problem = problemOf(input);
  const start = greedyChoice(input, problem);
  const seconds = () => (performance.now() - begun) / 1_000;
  const improved = (choice: Choice, bounds: Bounds) => {
    const terms = termsOf(problem, choice);
    const { gap } = provenOf(costsOf(problem, terms), bounds);
    progress({ seconds: seconds(), objective: totalOf(terms), gap });
  };
  const solve = (from: Choice, stepsBeyond: number) =>
    programs.solve(
      {
        model: modelOf(problem, stepsBeyond),
        start: from,
        timeLimitSeconds: Math.max(0.01, timeLimitSeconds - seconds()),
      },
      improved,
    );
  let stepsBeyond = STEPS_BEYOND;
  let answer = await solve(start, stepsBeyond);
  while (
    answer.choice &&
    !countsExactly(problem, answer.choice, stepsBeyond) &&
    seconds() < timeLimitSeconds
  ) {
    stepsBeyond *= 2;
    const again = await solve(answer.choice, stepsBeyond);
    answer = betterAnswer(problem, answer, again);
  }
  return solutionOf(input, problem, answer, start, seconds());
}

/** The later answer, unless it ran out of time and is worse than the earlier one. */
function betterAnswer(problem: Problem, before: SolverAnswer, after: SolverAnswer): SolverAnswer {
  if (!before.choice || !after.choice) return after.choice ? after : before;
  const costs = [before.choice, after.choice].map((choice) => costsOf(problem, termsOf(problem, choice)));
  const [was, is] = costs;
  return was && is && compareCosts(is, was) > 0 ? before : after;
}

/** Sorts the input, so that the order of stages, people and records does not affect the plan. */
function inFixedOrder(input: ProblemInput): ProblemInput {
  const byId = (a: { userId: string }, b: { userId: string }) => (a.userId < b.userId ? -1 : 1);
  const byTime = (a: Extra, b: Extra) => a.from - b.from || (a.seat ?? 0) - (b.seat ?? 0) || byId(a, b);
  const bySpan = (a: Interval & { type?: string }, b: Interval & { type?: string }) =>
    a.from - b.from || a.to - b.to || ((a.type ?? '') < (b.type ?? '') ? -1 : 1);
  return {
    ...input,
    stages: input.stages
      .map((stage) => ({
        ...stage,
        members: stage.members.toSorted(byId),
        past: stage.past.toSorted((a, b) => a.from - b.from || a.seat - b.seat),
        places: stage.places.toSorted((a, b) => a.from - b.from || a.seat - b.seat),
        ...(stage.extra ? { extra: stage.extra.toSorted(byTime) } : {}),
      }))
      .sort((a, b) => a.stage - b.stage),
    records: new Map([...input.records].map(([userId, records]) => [userId, records.toSorted(bySpan)])),
  };
}

/** The greedy plan, changed where it breaks a rule that the greedy planner does not know. */
export function greedyChoice(input: ProblemInput, problem: Problem): Choice {
  const plan = new Map(
    fair.plan(input).map(({ stage, seat, to, userId }) => [`${stage} ${seat} ${to}`, userId]),
  );
  const choice = problem.slots.map(({ place: { stage, seat, to } }) =>
    problem.people.indexOf(plan.get(`${stage} ${seat} ${to}`) ?? ''),
  );
  return isPossible(problem, choice) ? choice : madePossible(problem, choice);
}

/** Assigns slots one by one to the wanted person if possible, otherwise to another person who can take it. */
function madePossible(problem: Problem, wanted: Choice): Choice {
  const held: number[][] = problem.people.map(() => []);
  const made: number[] = [];
  for (const [slot, first] of wanted.entries()) {
    const able = (problem.candidates[slot] ?? []).map(({ person }) => person);
    const inOrder = able.includes(first) ? [first, ...able] : able;
    const person = inOrder.find((one) => {
      const own = held[one] ?? [];
      if (personApart(problem, made, slot, one) !== null) return false;
      return !collides(problem, slot, own) && !exceeds(problem.quotas, one, [...own, slot]);
    });
    if (person !== undefined) held[person]?.push(slot);
    made.push(person ?? -1);
  }
  return withoutAlone(problem, made);
}
