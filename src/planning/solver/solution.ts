import type { SolverAnswer } from '../../optimizer/answer.ts';
import { type Costs, compareCosts, EXACT, LEVELS } from '../../optimizer/levels.ts';
import type { Choice } from '../../optimizer/program.ts';
import {
  type Contradiction,
  gapOf,
  type Place,
  type PlannedShift,
  type Reason,
  type StageInput,
  spanOf,
} from '../../schedules/planner.ts';
import { fixedDuties } from '../duties.ts';
import { type Alternative, othersFor, type Plan } from './alternatives.ts';
import { comparedBy, ownStanding } from './compared.ts';
import { type ContradictionInput, contradictionOf } from './contradiction.ts';
import { costsOf } from './costs.ts';
import type { Problem, ProblemInput } from './problem.ts';
import { heldBy, isPossible, type Terms, termsOf, totalOf } from './valuation.ts';

/**
 * How a plan was found: by the solver, proven best or cut off by the time limit, or greedily because that was better.
 */
export type Origin = 'optimal' | 'time_limit' | 'greedy';

export type ExplainedShift = PlannedShift & {
  /** Other people who could have had the shift, cheapest first. */
  alternatives: Alternative[];
  /** Why nobody has the shift; null if somebody has it, or if it was fixed. */
  contradiction: Contradiction | null;
};

export type Solution = {
  shifts: ExplainedShift[];
  origin: Origin;
  /** In points, see `WEIGHTS`. */
  objective: number;
  terms: Terms;
  /** A proven lower bound on the cost of any plan; null if nothing was proven. */
  bound: number | null;
  /**
   * By how much the cost may exceed the best possible, as a fraction of it: 0 if proven best, null if nothing was
   * proven.
   */
  gap: number | null;
  /** Whether no plan of the same problem covers more, even if one may be better in other ways. */
  coversMost: boolean;
  seconds: number;
  /** Name and version of the solver; `none` when it did not run. */
  solver: string;
};

/**
 * The better of the solver's and the greedy plan, valued by the same rules, with an explanation for each shift. The
 * solver's plan is used only if it keeps all rules.
 */
export function solutionOf(
  input: ProblemInput,
  problem: Problem,
  answer: SolverAnswer,
  greedy: Choice,
  seconds: number,
): Solution {
  const solved = answer.choice && isPossible(problem, answer.choice) ? answer.choice : null;
  const valued = (choice: Choice) => costsOf(problem, termsOf(problem, choice));
  const isSolved = solved !== null && compareCosts(valued(solved), valued(greedy)) <= 0;
  const choice = isSolved ? solved : greedy;
  const terms = termsOf(problem, choice);
  const { coverage } = answer.bounds;
  return {
    coversMost: coverage !== null && valued(choice).coverage - coverage <= EXACT,
    shifts: shiftsOf(input, problem, choice),
    origin: !isSolved ? 'greedy' : answer.status === 'optimal' ? 'optimal' : 'time_limit',
    objective: totalOf(terms),
    terms,
    seconds,
    solver: answer.solver,
    ...provenOf(valued(choice), answer.bounds),
  };
}

/** At most this many alternatives are kept for each shift, the cheapest ones. */
const MOST_OTHERS = 6;

/** The bound and the gap of a plan over all levels; the gap is the largest one of any level. */
export function provenOf(costs: Costs, bounds: SolverAnswer['bounds']): Pick<Solution, 'bound' | 'gap'> {
  let [bound, gap] = [0, 0];
  for (const level of LEVELS) {
    const least = bounds[level];
    if (least === null) return { bound: null, gap: null };
    const difference = Math.max(0, costs[level] - least);
    bound += costs[level] - difference;
    if (difference > EXACT) gap = Math.max(gap, difference / Math.max(1, Math.abs(costs[level])));
  }
  return { bound, gap };
}

/** Shifts in the order of the places of each stage, as every planner returns them. */
function shiftsOf(input: ProblemInput, problem: Problem, choice: Choice): ExplainedShift[] {
  const indexes = new Map(problem.slots.map(({ place }, slot) => [place, slot]));
  const plan = { problem, choice, held: heldBy(problem, choice) };
  const facts = factsOf(input);
  return input.stages.flatMap((stage) =>
    [...stage.places]
      .sort((a, b) => a.from - b.from || a.seat - b.seat)
      .map((place) => {
        const slot = indexes.get(place);
        return slot === undefined ? fixedShift(place) : decided(plan, slot, stage, facts);
      }),
  );
}

function fixedShift({ stage, seat, from, to, kept }: Place): ExplainedShift {
  const { userId, reason } = kept ?? { userId: null, reason: null };
  return { stage, seat, from, to, userId, reason, alternatives: [], contradiction: null };
}

function decided(plan: Plan, slot: number, stage: StageInput, facts: ContradictionInput): ExplainedShift {
  const { problem, choice } = plan;
  const place = problem.slots[slot]?.place;
  if (!place) throw new Error(`the plan has no slot ${slot}`);
  const userId = problem.people[choice[slot] ?? -1] ?? null;
  const others = othersFor(plan, slot);
  const skipped = others.refused.map(({ userId: user_id, ...why }) => ({ user_id, ...why }));
  const kept = place.kept?.userId === userId ? place.kept : null;
  // A person who keeps a shift also keeps the original reason for it.
  const contradiction = userId === null ? contradictionOf(plan, slot, facts) : null;
  const reason: Reason | null = kept
    ? kept.reason
    : {
        rule: userId === null ? 'nobody' : 'least',
        skipped,
        others: others.alternatives.slice(0, MOST_OTHERS).map((alternative) => ({
          ...{ user_id: alternative.userId, swap: alternative.swap },
          cost: Math.round(alternative.cost * 10) / 10,
          compared: comparedBy(plan, slot, alternative),
        })),
        own: ownStanding(plan, slot),
        ...(contradiction ? { contradiction } : {}),
      };
  return {
    stage: stage.stage,
    seat: place.seat,
    ...(userId === null ? gapOf(place) : spanOf(place)),
    userId,
    reason,
    alternatives: others.alternatives,
    contradiction,
  };
}

function factsOf(input: ProblemInput): ContradictionInput {
  return {
    duties: fixedDuties(input),
    records: input.records,
    smallAbsenceMs: input.smallAbsenceMs ?? 0,
  };
}
