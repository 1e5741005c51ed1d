import type { Place, PlannedShift, Reason, StageInput } from '../planner.ts';
import { type Alternative, othersFor, type Plan } from './alternatives.ts';
import { type Contradiction, type ContradictionInput, contradictionOf } from './contradiction.ts';
import type { SolverAnswer } from './highs.ts';
import { type Problem, type ProblemInput, standingDuties } from './problem.ts';
import { type Choice, heldBy, isPossible, type Terms, termsOf, totalOf } from './valuation.ts';

/** Where a plan comes from: the solver, proven or as far as time allowed, or the greedy form because it was better. */
export type Origin = 'optimal' | 'time_limit' | 'greedy';

export type ExplainedShift = PlannedShift & {
  /** Who else could have had the shift, the cheapest first. */
  alternatives: Alternative[];
  /** Why there is nobody; null when there is somebody, or the shift stood before. */
  contradiction: Contradiction | null;
};

export type Solution = {
  shifts: ExplainedShift[];
  origin: Origin;
  /** In points, see `WEIGHTS`. */
  objective: number;
  terms: Terms;
  /** No plan can cost less; null when nothing was proven. */
  bound: number | null;
  /** How much of the objective may be too much, at most: 0 when proven, null when nothing was. */
  gap: number | null;
};

/** Figures are sums of many parts: what differs by less is the same. */
const EXACT = 1e-4;

/**
 * The better of two plans, valued by the same rules, and every shift of it explained. What the solver says is checked
 * before it is believed.
 */
export function solutionOf(
  input: ProblemInput,
  problem: Problem,
  answer: SolverAnswer,
  greedy: Choice | null,
): Solution {
  const solved = answer.choice && isPossible(problem, answer.choice) ? answer.choice : null;
  const nobody = problem.slots.map(() => -1);
  const other = greedy ?? nobody;
  const costOf = (choice: Choice) => totalOf(termsOf(problem, choice));
  const isSolved = solved !== null && costOf(solved) <= costOf(other) + EXACT;
  const choice = isSolved ? solved : other;
  const terms = termsOf(problem, choice);
  const objective = totalOf(terms);
  const bound = answer.bound === null ? null : Math.min(answer.bound, objective);
  return {
    shifts: shiftsOf(input, problem, choice),
    origin: !isSolved ? 'greedy' : answer.status === 'optimal' ? 'optimal' : 'time_limit',
    objective,
    terms,
    bound,
    gap: bound === null ? null : gapBetween(objective, bound),
  };
}

/** As a share of the objective. */
function gapBetween(objective: number, bound: number): number {
  const difference = objective - bound;
  return difference < EXACT ? 0 : difference / Math.max(1, Math.abs(objective));
}

/** In the order of the places of each stage, as every planner gives them. */
function shiftsOf(input: ProblemInput, problem: Problem, choice: Choice): ExplainedShift[] {
  const indexes = new Map(problem.slots.map(({ place }, slot) => [place, slot]));
  const plan = { problem, choice, held: heldBy(problem, choice) };
  const facts = factsOf(input);
  return input.stages.flatMap((stage) =>
    [...stage.places]
      .sort((a, b) => a.from - b.from || a.seat - b.seat)
      .map((place) => {
        const slot = indexes.get(place);
        return slot === undefined ? standing(place) : decided(plan, slot, stage, facts);
      }),
  );
}

function standing({ stage, seat, from, to, kept }: Place): ExplainedShift {
  const { userId, reason } = kept ?? { userId: null, reason: null };
  return { stage, seat, from, to, userId, reason, alternatives: [], contradiction: null };
}

function decided(plan: Plan, slot: number, stage: StageInput, facts: ContradictionInput): ExplainedShift {
  const { problem, choice } = plan;
  const place = problem.slots[slot]?.place;
  if (!place) throw new Error(`the plan has no slot ${slot}`);
  const userId = problem.people[choice[slot] ?? -1] ?? null;
  const others = othersFor(plan, slot);
  const skipped = others.refused.map(({ userId: user_id, because }) => ({ user_id, because }));
  const kept = place.kept?.userId === userId ? place.kept : null;
  // Why somebody got a shift is told as it was when they got it.
  const reason: Reason | null = kept ? kept.reason : { rule: userId === null ? 'nobody' : 'least', skipped };
  return {
    stage: stage.stage,
    seat: place.seat,
    from: userId === null ? place.gapFrom : place.from,
    to: place.to,
    userId,
    reason,
    alternatives: others.alternatives,
    contradiction: userId === null ? contradictionOf(plan, slot, facts) : null,
  };
}

function factsOf(input: ProblemInput): ContradictionInput {
  const members = new Map(
    input.stages.map((stage) => [stage.stage, stage.members.map(({ userId }) => userId).sort()]),
  );
  return {
    duties: standingDuties(input),
    records: input.records,
    membersOf: (stage) => members.get(stage) ?? [],
  };
}
