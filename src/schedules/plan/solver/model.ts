import { cliques } from './conflicts.ts';
import type { Candidate, Problem } from './problem.ts';
import type { Choice } from './valuation.ts';
import { WEIGHTS } from './weights.ts';

/** A mixed-integer program as HiGHS takes it: minimise `offset + colCost·x`. The matrix is compressed by rows. */
export type Model = {
  numCols: number;
  numRows: number;
  offset: number;
  colCost: Float64Array;
  colLower: Float64Array;
  colUpper: Float64Array;
  /** 1 for whole numbers, 0 for any. */
  integrality: Int32Array;
  rowLower: Float64Array;
  rowUpper: Float64Array;
  starts: Int32Array;
  indices: Int32Array;
  values: Float64Array;
  /** By slot: the column of each candidate, and the candidate's person. */
  choices: readonly (readonly { column: number; person: number }[])[];
};

/** Steps of a share beyond the target that are counted exactly; what is further off costs as the last one. */
const STEPS_BEYOND = 8;

/** Somebody's choices as columns: 1 when they have the slot. */
type Columns = ReadonlyMap<Candidate, number>;

/**
 * The problem as a program: C1 every slot has one person or is counted as uncovered, C2 nobody has two that exclude
 * each other, C3 a time without anybody is counted, C4 the square of what somebody has beyond their share, by unit
 * steps that cost more and more.
 */
export function modelOf(problem: Problem): Model {
  const build = new Build();
  build.offset = offsetOf(problem);
  const columns: Columns = new Map(
    problem.candidates.flat().map((candidate) => [candidate, build.whole(choiceCost(problem, candidate))]),
  );
  const uncovered = problem.slots.map(({ uncoveredWeight }) => build.column(uncoveredWeight, 1));
  for (const [slot, candidates] of problem.candidates.entries())
    build.row(1, 1, [...entries(candidates, columns), [uncovered[slot] ?? 0, 1]]);
  for (const group of problem.lastAnswers) {
    const nobody = build.column(WEIGHTS.unanswered, 1);
    const empty = group.map((slot): Entry => [uncovered[slot] ?? 0, -1]);
    build.row(1 - group.length, Number.POSITIVE_INFINITY, [[nobody, 1], ...empty]);
  }
  const byPerson = Map.groupBy(problem.candidates.flat(), ({ person }) => person);
  for (const own of byPerson.values()) addPerson(build, problem, own, columns);
  const choices = problem.candidates.map((candidates) =>
    candidates.map((candidate) => ({ column: columns.get(candidate) ?? 0, person: candidate.person })),
  );
  return { ...build.finish(), choices };
}

/** Who has which slot in a solution of the program. */
export function choiceIn(model: Pick<Model, 'choices'>, colValue: ArrayLike<number>): Choice {
  return model.choices.map(
    (candidates) => candidates.find(({ column }) => (colValue[column] ?? 0) > 0.5)?.person ?? -1,
  );
}

/** What every plan costs: shifts that move until they stay, and shares of which nothing is had. */
function offsetOf({ slots, categories }: Problem): number {
  const moved = slots.filter(({ keptBy }) => keptBy !== null).length * WEIGHTS.moved;
  const shares = categories.flatMap(({ weight, targets }) => targets.map((target) => weight * target ** 2));
  return shares.reduce((sum, cost) => sum + cost, moved);
}

function choiceCost({ slots }: Problem, { slot, person, isSoft, isRequested, beside }: Candidate): number {
  return (
    (isSoft ? WEIGHTS.soft : 0) -
    (isRequested ? WEIGHTS.requested : 0) +
    beside * WEIGHTS.backToBack -
    (slots[slot]?.keptBy === person ? WEIGHTS.moved : 0)
  );
}

function addPerson(build: Build, problem: Problem, own: readonly Candidate[], columns: Columns): void {
  const columnOf = new Map(own.map((candidate) => [candidate.slot, columns.get(candidate) ?? 0]));
  const ofSlots = (slots: readonly number[]) => slots.map((slot): Entry => [columnOf.get(slot) ?? 0, 1]);
  const mine = own.map(({ slot }) => slot);
  const exclusive = cliques(problem, mine);
  for (const clique of exclusive) build.row(Number.NEGATIVE_INFINITY, 1, ofSlots(clique));
  for (const pair of boundaries(problem, mine)) {
    if (exclusive.some((clique) => pair.every((slot) => clique.includes(slot)))) continue;
    const both = build.column(WEIGHTS.backToBack, 1);
    build.row(Number.NEGATIVE_INFINITY, 1, [...ofSlots(pair), [both, -1]]);
  }
  for (const { weight, counts, targets } of problem.categories) {
    const counted = mine.filter((slot) => counts[slot]);
    const target = targets[own[0]?.person ?? 0] ?? 0;
    const steps = shareSteps(build, weight, target, counted.length);
    if (counted.length > 0) build.row(0, 0, [...ofSlots(counted), ...steps.map((step): Entry => [step, -1])]);
  }
}

/** By instant at which one shift ends and another begins: all of both kinds. Nobody has two of the same kind. */
function boundaries({ slots }: Problem, mine: readonly number[]): number[][] {
  const ending = Map.groupBy(mine, (slot) => slots[slot]?.to ?? 0);
  const beginning = Map.groupBy(mine, (slot) => slots[slot]?.from ?? 0);
  return [...beginning].flatMap(([at, begun]) => {
    const ended = ending.get(at);
    return ended ? [[...ended, ...begun]] : [];
  });
}

/** The k-th shift of somebody costs what it adds to the square of the difference. */
function shareSteps(build: Build, weight: number, target: number, most: number): number[] {
  const exact = Math.min(most, Math.max(1, Math.ceil(target) + STEPS_BEYOND));
  return Array.from({ length: exact }, (_, index) => {
    const isLast = index === exact - 1;
    return build.column(weight * (2 * (index + 1 - target) - 1), isLast ? most - index : 1);
  });
}

function entries(candidates: readonly Candidate[], columns: Columns): Entry[] {
  return candidates.map((candidate) => [columns.get(candidate) ?? 0, 1]);
}

type Entry = readonly [column: number, value: number];

/** Collects columns and rows in the order in which they are named. */
class Build {
  offset = 0;
  readonly #cost: number[] = [];
  readonly #upper: number[] = [];
  readonly #whole: number[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];
  readonly #starts: number[] = [];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  /** A number from 0 to `upper`. */
  column(cost: number, upper: number, whole = 0): number {
    this.#cost.push(cost);
    this.#upper.push(upper);
    this.#whole.push(whole);
    return this.#cost.length - 1;
  }

  /** 0 or 1. */
  whole(cost: number): number {
    return this.column(cost, 1, 1);
  }

  row(lower: number, upper: number, entries: readonly Entry[]): void {
    this.#starts.push(this.#indices.length);
    this.#rowLower.push(lower);
    this.#rowUpper.push(upper);
    for (const [column, value] of entries) {
      this.#indices.push(column);
      this.#values.push(value);
    }
  }

  finish(): Omit<Model, 'choices'> {
    return {
      numCols: this.#cost.length,
      numRows: this.#rowLower.length,
      offset: this.offset,
      colCost: Float64Array.from(this.#cost),
      colLower: new Float64Array(this.#cost.length),
      colUpper: Float64Array.from(this.#upper),
      integrality: Int32Array.from(this.#whole),
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
      starts: Int32Array.from([...this.#starts, this.#indices.length]),
      indices: Int32Array.from(this.#indices),
      values: Float64Array.from(this.#values),
    };
  }
}
