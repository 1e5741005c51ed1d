import { Build, type Choice, type Cost, type Entry, type Model } from '../../optimizer/program.ts';
import { areTogether } from '../opening.ts';
import type { Companions } from './companions.ts';
import { cliques, meetings } from './conflicts.ts';
import { moveCost, moveUnits } from './costs.ts';
import { addQuota } from './limit-rows.ts';
import type { Candidate, Problem } from './problem.ts';
import { COVERAGE_UNIT, WEIGHTS } from './weights.ts';

/**
 * How many steps beyond a person's target are counted exactly at first. Further shifts cost as much as the last step,
 * which is less than their real cost, so proven bounds hold. A plan that exceeds this is solved again with more steps.
 */
export const STEPS_BEYOND = 8;

const UNITS = { coverage: COVERAGE_UNIT, moves: WEIGHTS.moved, rest: 1 } as const;

/** One column for each candidate: 1 if the person gets the slot. */
type Columns = ReadonlyMap<Candidate, number>;

/**
 * Builds the integer program. C1: every slot has one person or counts as uncovered. C2: nobody has two conflicting
 * slots. C3: a time without anybody costs extra. C4: the squared deviation from a share, as unit steps of rising cost.
 * C5: people who are kept apart have at most one of the simultaneous slots.
 */
export function modelOf(problem: Problem, stepsBeyond = STEPS_BEYOND): Model {
  const build = new Build();
  const columns: Columns = new Map(
    problem.candidates.flat().map((candidate) => [candidate, build.whole(choiceCost(problem, candidate))]),
  );
  // Declared as integers although they would be integers anyway: otherwise, presolve in HiGHS 1.15 cuts off feasible
  // plans.
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
  for (const { people } of problem.apart) addApart(build, problem, people, columns);
  for (const rule of problem.companions) addCompanions(build, problem, rule, columns);
  const choices = problem.candidates.map((candidates) =>
    candidates.map((candidate) => ({ column: columns.get(candidate) ?? 0, person: candidate.person })),
  );
  const levels = build.levels(offsetsOf(problem), UNITS, ['rest']);
  return { ...build.finish(), levels, choices, uncovered, unanswered };
}

/** Constant costs: all kept shifts start out as moved, and all shares as empty; choices then lower the cost. */
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
  for (const quota of problem.quotas.filter(({ person }) => person === own[0]?.person))
    addQuota(build, quota, (slot) => columnOf.get(slot) ?? 0);
  for (const { weight, counts, targets } of problem.categories) {
    const counted = mine.filter((slot) => counts[slot]);
    const target = targets[own[0]?.person ?? 0] ?? 0;
    const steps = shareSteps(build, weight, target, counted.length, stepsBeyond);
    if (counted.length > 0) build.row(0, 0, [...ofSlots(counted), ...steps.map((step): Entry => [step, -1])]);
  }
}

function addApart(build: Build, problem: Problem, people: ReadonlySet<number>, columns: Columns): void {
  const ofGroup = problem.candidates.map((candidates) =>
    candidates.filter(({ person }) => people.has(person)),
  );
  const slots = [...ofGroup.keys()].filter((slot) => ofGroup[slot]?.length);
  for (const meeting of meetings(problem, slots))
    build.row(
      Number.NEGATIVE_INFINITY,
      1,
      meeting.flatMap((slot) => entries(ofGroup[slot] ?? [], columns)),
    );
}

/** A person who needs a companion has a slot only if a companion has one of those beside it, at each time of it. */
function addCompanions(build: Build, { candidates }: Problem, rule: Companions, columns: Columns): void {
  const { needs, people, with: companions } = rule;
  const of = (slot: number, some: ReadonlySet<number>) =>
    entries(
      (candidates[slot] ?? []).filter(({ person }) => some.has(person)),
      columns,
    );
  for (const [slot, lists] of needs.entries()) {
    const own = of(slot, people);
    if (own.length === 0) continue;
    for (const beside of lists)
      build.row(Number.NEGATIVE_INFINITY, 0, [
        ...own,
        ...negative(beside.flatMap((other) => of(other, companions))),
      ]);
  }
}

/**
 * For each instant at which one shift ends and another begins: all slots of both kinds. A person has at most one of
 * each.
 */
function boundaries({ slots }: Problem, mine: readonly number[]): number[][] {
  const whole = mine.filter((slot) => slots[slot]?.block === null);
  const ending = Map.groupBy(whole, (slot) => slots[slot]?.to ?? 0);
  const beginning = Map.groupBy(whole, (slot) => slots[slot]?.from ?? 0);
  return [...beginning].flatMap(([at, begun]) => {
    const ended = ending.get(at);
    return ended ? [[...ended, ...begun]] : [];
  });
}

/** Pairs of consecutive pieces of a shared shift. */
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

/** Whether the program counts the shares of this plan exactly. */
export function countsExactly({ categories, people }: Problem, choice: Choice, stepsBeyond: number): boolean {
  return categories.every(({ counts, targets }) =>
    people.every((_, person) => {
      const count = choice.filter((one, slot) => one === person && counts[slot]).length;
      return count <= exactSteps(targets[person] ?? 0, stepsBeyond);
    }),
  );
}

/** A person's k-th shift costs what it adds to the squared deviation from their share. */
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
