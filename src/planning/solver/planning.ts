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
import { withGivenBack } from './give-back.ts';
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
  const seconds = () => (performance.now() - begun) / 1_000;
  const start = greedyChoice(input, problem, (choice) =>
    settledIn(problem, choice, () => seconds() < timeLimitSeconds / 10),
  );
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
  const until = seconds() + SETTLING_SECONDS;
  const settled =
    answer.status === 'optimal' || answer.choice === null
      ? answer.choice
      : settledIn(problem, answer.choice, () => seconds() < until);
  return solutionOf(input, problem, { ...answer, choice: settled }, start, seconds());
}

/** Extra time beyond the time limit, for a plan that ran out of it. */
const SETTLING_SECONDS = 1;

/** A plan in which no single exchange would leave less time uncovered or move fewer published shifts. */
function settledIn(problem: Problem, choice: Choice, mayGoOn: () => boolean): Choice {
  // If moving is only one cost among many, published shifts may move.
  if (problem.closeness === 'last' || !isPossible(problem, choice)) return choice;
  return withGivenBack(problem, choice, mayGoOn);
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

/**
 * The greedy plan, repaired where it breaks a rule that the greedy planner does not know. `improved`: improves a plan
 * before it is compared with another one.
 */
export function greedyChoice(
  input: ProblemInput,
  problem: Problem,
  improved: (choice: Choice) => Choice = (choice) => choice,
): Choice {
  const plan = new Map(
    fair.plan(input).map(({ stage, seat, to, userId }) => [`${stage} ${seat} ${to}`, userId]),
  );
  const choice = problem.slots.map(({ place: { stage, seat, to } }) =>
    problem.people.indexOf(plan.get(`${stage} ${seat} ${to}`) ?? ''),
  );
  if (isPossible(problem, choice)) return choice;
  const isKept = (slot: number) => choice[slot] !== -1 && problem.slots[slot]?.keptBy === choice[slot];
  const kept = [...choice.keys()].filter(isKept);
  // In order of time, a person who takes over a shift may have to give up a later one of their own for it.
  const [other, one] = [kept, []].map((first) => improved(madePossible(problem, choice, first)));
  const costs = (made: Choice | undefined) => costsOf(problem, termsOf(problem, made ?? choice));
  return (compareCosts(costs(other), costs(one)) < 0 ? other : one) ?? choice;
}

/**
 * Assigns slots one by one to the wanted person if possible, otherwise to another person who can take it. `first`:
 * slots that are assigned before the others, and only to the wanted person.
 */
function madePossible(problem: Problem, wanted: Choice, first: readonly number[]): Choice {
  const held: number[][] = problem.people.map(() => []);
  const made = wanted.map(() => -1);
  const assign = (slot: number, people: readonly number[]) => {
    const person = people.find((one) => {
      const own = held[one] ?? [];
      if (personApart(problem, made, slot, one) !== null) return false;
      return !collides(problem, slot, own) && !exceeds(problem.quotas, one, [...own, slot]);
    });
    if (person === undefined) return;
    held[person]?.push(slot);
    made[slot] = person;
  };
  for (const slot of first) assign(slot, [wanted[slot] ?? -1]);
  for (const [slot, person] of wanted.entries()) {
    if (made[slot] !== -1) continue;
    const able = (problem.candidates[slot] ?? []).map((candidate) => candidate.person);
    assign(slot, able.includes(person) ? [person, ...able] : able);
  }
  return withoutAlone(problem, made);
}
