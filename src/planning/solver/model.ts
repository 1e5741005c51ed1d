import { Build, type Choice, type Cost, type Entry, type Model } from '../../optimizer/program.ts';
import { areTogether } from '../opening.ts';
import { cliques } from './conflicts.ts';
import { moveCost, moveUnits } from './costs.ts';
import type { Candidate, Problem } from './problem.ts';
import { COVERAGE_UNIT, WEIGHTS } from './weights.ts';

/**
 * Steps of a share beyond the target that are counted exactly at first. What is further off costs as the last one: less
 * than it does, so that bounds hold. A plan that goes further is solved again with more steps.
 */
export const STEPS_BEYOND = 8;

const UNITS = { coverage: COVERAGE_UNIT, moves: WEIGHTS.moved, rest: 1 } as const;

/** Somebody's choices as columns: 1 when they have the slot. */
type Columns = ReadonlyMap<Candidate, number>;

/**
 * The problem as a program: C1 every slot has one person or is counted as uncovered, C2 nobody has two that exclude
 * each other, C3 a time without anybody is counted, C4 the square of what somebody has beyond their share, by unit
 * steps that cost more and more.
 */
export function modelOf(problem: Problem, stepsBeyond = STEPS_BEYOND): Model {
  const build = new Build();
  const columns: Columns = new Map(
    problem.candidates.flat().map((candidate) => [candidate, build.whole(choiceCost(problem, candidate))]),
  );
  // Whole although they would be so anyway: with a row over them HiGHS 1.15 else presolves plans away that there are.
  const uncovered = problem.slots.map(({ uncoveredWeight }) =>
    build.whole({ coverage: uncoveredWeight / COVERAGE_UNIT }),
  );
  for (const [slot, candidates] of problem.candidates.entries())
    build.row(1, 1, [...entries(candidates, columns), [uncovered[slot] ?? 0, 1]]);
  const unanswered = problem.lastAnswers.map((slots) => {
    const column = build.whole({ coverage: WEIGHTS.unanswered / COVERAGE_UNIT });
    const empty = slots.map((slot): Entry => [uncovered[slot] ?? 0, -1]);
    build.row(1 - slots.length, Number.POSITIVE_INFINITY, [[column, 1], ...empty]);
    return { column, slots };
  });
  const byPerson = Map.groupBy(problem.candidates.flat(), ({ person }) => person);
  for (const own of byPerson.values()) addPerson(build, problem, own, columns, stepsBeyond);
  const choices = problem.candidates.map((candidates) =>
    candidates.map((candidate) => ({ column: columns.get(candidate) ?? 0, person: candidate.person })),
  );
  const levels = build.levels(offsetsOf(problem), UNITS, ['rest']);
  return { ...build.finish(), levels, choices, uncovered, unanswered };
}

/** What every plan costs: shifts that move until they stay, and shares of which nothing is had. */
function offsetsOf(problem: Problem): Cost {
  const moved = problem.slots.reduce(
    (sum, { keptBy }, slot) => sum + (keptBy === null ? 0 : moveUnits(problem, slot)),
    0,
  );
  const shares = problem.categories.flatMap(({ weight, targets }) =>
    targets.map((target) => weight * target ** 2),
  );
  const rest = shares.reduce((sum, cost) => sum + cost, 0);
  const { level, points } = moveCost(problem);
  return level === 'moves' ? { moves: moved, rest } : { rest: rest + moved * points };
}

function choiceCost(problem: Problem, candidate: Candidate): Cost {
  const { slot, person } = candidate;
  const rest = wishPoints(candidate) + candidate.beside * WEIGHTS.backToBack;
  if (problem.slots[slot]?.keptBy !== person) return { rest };
  const { level, points } = moveCost(problem);
  return level === 'moves' ? { moves: -moveUnits(problem, slot), rest } : { rest: rest - points };
}

function wishPoints({ isSoft, isElsewhere, isRequested }: Candidate): number {
  return (
    (isSoft ? WEIGHTS.soft : 0) +
    (isElsewhere ? WEIGHTS.elsewhere : 0) -
    (isRequested ? WEIGHTS.requested : 0)
  );
}

function addPerson(
  build: Build,
  problem: Problem,
  own: readonly Candidate[],
  columns: Columns,
  stepsBeyond: number,
): void {
  const columnOf = new Map(own.map((candidate) => [candidate.slot, columns.get(candidate) ?? 0]));
  const ofSlots = (slots: readonly number[]) => slots.map((slot): Entry => [columnOf.get(slot) ?? 0, 1]);
  const mine = own.map(({ slot }) => slot);
  const exclusive = cliques(problem, mine);
  for (const clique of exclusive) build.row(Number.NEGATIVE_INFINITY, 1, ofSlots(clique));
  for (const pair of boundaries(problem, mine)) {
    if (exclusive.some((clique) => pair.every((slot) => clique.includes(slot)))) continue;
    const both = build.column({ rest: WEIGHTS.backToBack }, 1);
    build.row(Number.NEGATIVE_INFINITY, 1, [...ofSlots(pair), [both, -1]]);
  }
  for (const [a, b] of togethers(problem, mine)) {
    const both = build.column({ rest: -WEIGHTS.together }, 1);
    for (const slot of [a, b])
      build.row(Number.NEGATIVE_INFINITY, 0, [[both, 1], ...negative(ofSlots([slot]))]);
  }
  for (const { slots, most } of problem.quotas.filter(({ person }) => person === own[0]?.person))
    build.row(Number.NEGATIVE_INFINITY, most, ofSlots(slots));
  for (const { weight, counts, targets } of problem.categories) {
    const counted = mine.filter((slot) => counts[slot]);
    const target = targets[own[0]?.person ?? 0] ?? 0;
    const steps = shareSteps(build, weight, target, counted.length, stepsBeyond);
    if (counted.length > 0) build.row(0, 0, [...ofSlots(counted), ...steps.map((step): Entry => [step, -1])]);
  }
}

/** By instant at which one shift ends and another begins: all of both kinds. Nobody has two of the same kind. */
function boundaries({ slots }: Problem, mine: readonly number[]): number[][] {
  const whole = mine.filter((slot) => slots[slot]?.block === null);
  const ending = Map.groupBy(whole, (slot) => slots[slot]?.to ?? 0);
  const beginning = Map.groupBy(whole, (slot) => slots[slot]?.from ?? 0);
  return [...beginning].flatMap(([at, begun]) => {
    const ended = ending.get(at);
    return ended ? [[...ended, ...begun]] : [];
  });
}

/** Pieces of a shared shift, two in a row each. */
function togethers({ slots }: Problem, mine: readonly number[]): [number, number][] {
  const pieces = mine.filter((slot) => slots[slot]?.block !== null);
  return pieces.flatMap((a) =>
    pieces.flatMap((b): [number, number][] => {
      const [one, other] = [slots[a], slots[b]];
      return one && other && one.to === other.from && areTogether(one, other) ? [[a, b]] : [];
    }),
  );
}

function negative(entries: readonly Entry[]): Entry[] {
  return entries.map(([column, value]) => [column, -value]);
}

function exactSteps(target: number, stepsBeyond: number): number {
  return Math.max(0, Math.ceil(target)) + stepsBeyond;
}

/** Whether the program counts the shares of a plan as they are. */
export function countsExactly({ categories, people }: Problem, choice: Choice, stepsBeyond: number): boolean {
  return categories.every(({ counts, targets }) =>
    people.every((_, person) => {
      const count = choice.filter((one, slot) => one === person && counts[slot]).length;
      return count <= exactSteps(targets[person] ?? 0, stepsBeyond);
    }),
  );
}

/** The k-th shift of somebody costs what it adds to the square of the difference. */
function shareSteps(
  build: Build,
  weight: number,
  target: number,
  most: number,
  stepsBeyond: number,
): number[] {
  const exact = Math.min(most, exactSteps(target, stepsBeyond));
  return Array.from({ length: exact }, (_, index) => {
    const isLast = index === exact - 1;
    const cost = weight * (2 * (index + 1 - target) - 1);
    return build.column({ rest: cost }, isLast ? most - index : 1);
  });
}

function entries(candidates: readonly Candidate[], columns: Columns): Entry[] {
  return candidates.map((candidate) => [columns.get(candidate) ?? 0, 1]);
}
