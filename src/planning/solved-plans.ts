import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { instantFor } from '../kit/same-instant.ts';
import type { PlanInput, PlannedShift } from '../schedules/planner.ts';
import { figuresText } from './figures-text.ts';
import { anonymous } from './solver/anonymous.ts';
import type { ProblemInput } from './solver/problem.ts';
import type { Solution } from './solver/solution.ts';
import { TIME_LIMIT_SECONDS } from './solver/time-limit.ts';
import type { Solver } from './threads/solver.ts';
import type { SolvedPlan } from './threads/work.ts';

/** The solver's figures for a plan; null if it was not solved. */
export type PlanFigures = Pick<
  Solution,
  'origin' | 'objective' | 'terms' | 'bound' | 'gap' | 'seconds' | 'solver'
> | null;

/** Solved plans, found by their input. */
export type Plans = {
  /**
   * The plan for an input. On the first attempt, an unsolved plan undoes the transaction; later ones use a greedy plan.
   */
  planFor(input: ProblemInput): Promise<{ shifts: readonly PlannedShift[]; figures: PlanFigures }>;
  /** The plan of a rotation, made without the solver. */
  inTurns(input: PlanInput): Promise<readonly PlannedShift[]>;
  /** Call it last. @throws Unsolved if an unsolved plan was used, which undoes the transaction */
  settle(): void;
};

export type PlanningServices = {
  db: Database;
  clock: Clock;
  solver: Solver;
  /** Receives progress as sentences. An error that it throws ends the planning. */
  report?: (sentence: string) => void;
};

type Unknown = { looseKey: string; input: ProblemInput };

/** Thrown to roll back a transaction until the plans that it needs are solved. */
class Unsolved extends Error {
  readonly inputs: ReadonlyMap<string, Unknown>;

  constructor(inputs: ReadonlyMap<string, Unknown>) {
    super(`${inputs.size} plans have to be solved first`);
    this.inputs = inputs;
  }
}

/**
 * How often a transaction runs before it keeps a greedy plan for an input that keeps changing. The first attempt stops
 * at the first unsolved plan: there is seldom a second one, and the consequences of a greedy plan would be rolled back
 * anyway.
 */
const ATTEMPTS = 4;

/**
 * Runs a transaction that plans. Solving takes seconds, and no transaction stays open for that long: if a plan is not
 * solved yet, the transaction is rolled back, the plan is solved, and the transaction runs again. A plan is used only
 * for exactly the input that it was solved for. `work` may run several times.
 */
export async function withSolvedPlans<T>(
  { db, clock, solver, report = () => undefined }: PlanningServices,
  work: (tx: Tx, at: Temporal.Instant, plans: Plans) => Promise<T>,
): Promise<T> {
  const solved: Solved = { exact: new Map(), loose: new Map() };
  let first: Temporal.Instant | null = null;
  for (let attempt = 1; ; attempt++) {
    const plans = plansFrom(solver, solved, { isFirst: attempt === 1, isLast: attempt === ATTEMPTS });
    try {
      return await db.transaction().execute(async (tx) => {
        const at = instantFor(first, await clock.now(tx));
        first = at;
        const result = await work(tx, at, plans);
        plans.settle();
        return result;
      });
    } catch (error) {
      if (!(error instanceof Unsolved)) throw error;
      for (const [key, { looseKey, input }] of error.inputs) {
        report(taskText(input));
        const solution = await solver.bestPlan(input);
        report(`Found a plan: ${figuresText(figuresOf(solution))} …`);
        solved.exact.set(key, solution);
        solved.loose.set(looseKey, solution);
      }
    }
  }
}

/** Runs `work` in the same way, rolls it back, and returns what it would have done. */
export async function rehearsed<T>(
  services: PlanningServices,
  work: (tx: Tx, at: Temporal.Instant, plans: Plans) => Promise<T>,
): Promise<T> {
  const undone = new Undone<T>();
  try {
    return await withSolvedPlans(services, async (tx, at, plans) => {
      const result = await work(tx, at, plans);
      plans.settle();
      undone.outcome = { result };
      throw undone;
    });
  } catch (error) {
    if (error === undone && undone.outcome) return undone.outcome.result;
    throw error;
  }
}

/** Thrown to roll back a rehearsed transaction. */
class Undone<T> extends Error {
  outcome: { result: T } | null = null;
}

function taskText({ stages }: ProblemInput): string {
  const people = new Set(stages.flatMap(({ members }) => members.map(({ userId }) => userId))).size;
  const shifts = stages.flatMap(({ places }) => places.filter(({ fixed }) => !fixed)).length;
  return `Solving a plan of ${shifts} shifts for ${people} people, at most ${TIME_LIMIT_SECONDS} s …`;
}

type Solved = { exact: Map<string, SolvedPlan>; loose: Map<string, SolvedPlan> };

function plansFrom(
  solver: Solver,
  { exact, loose }: Solved,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Plans {
  const unsolved = new Map<string, Unknown>();
  return {
    async planFor(input) {
      const { key, looseKey, input: nameless, named } = anonymous(input);
      // Schedules that depend on each other may never settle. The latest plan, which ignores other schedules, is good
      // enough.
      const solution = exact.get(key) ?? (isLast ? loose.get(looseKey) : undefined);
      if (!solution) {
        unsolved.set(key, { looseKey, input: nameless });
        if (isFirst) throw new Unsolved(unsolved);
        return { shifts: await solver.inTurns('fair', input), figures: null };
      }
      return { shifts: named(solution.shifts), figures: figuresOf(solution) };
    },
    inTurns: (input) => solver.inTurns('rotation', input),
    settle() {
      if (unsolved.size > 0 && !isLast) throw new Unsolved(unsolved);
    },
  };
}

export function figuresOf(solution: SolvedPlan): NonNullable<PlanFigures> {
  const { origin, objective, terms, bound, gap, seconds, solver } = solution;
  return { origin, objective, terms, bound, gap, seconds, solver };
}
