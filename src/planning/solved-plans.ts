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

/** What is known of a plan besides its shifts; null when it was not solved. */
export type PlanFigures = Pick<
  Solution,
  'origin' | 'objective' | 'terms' | 'bound' | 'gap' | 'seconds' | 'solver'
> | null;

/** Plans that were solved already, by what they depend on. */
export type Plans = {
  /** The plan for an input. Undoes the first transaction where it is not solved yet; later ones go on with the greedy one. */
  planFor(input: ProblemInput): Promise<{ shifts: readonly PlannedShift[]; figures: PlanFigures }>;
  /** That of a rotation, which is made at once. */
  inTurns(input: PlanInput): Promise<readonly PlannedShift[]>;
  /** Undoes the transaction, by an error, if it was given a plan that is not solved yet. Call it last. */
  settle(): void;
};

export type PlanningServices = {
  db: Database;
  clock: Clock;
  solver: Solver;
  /** Hears in words what is being solved and how far it is; what it throws ends the planning. */
  tell?: (sentence: string) => void;
};

type Unknown = { looseKey: string; input: ProblemInput };

/** What a transaction was undone for. */
class Unsolved extends Error {
  readonly inputs: ReadonlyMap<string, Unknown>;

  constructor(inputs: ReadonlyMap<string, Unknown>) {
    super(`${inputs.size} plans have to be solved first`);
    this.inputs = inputs;
  }
}

/**
 * Inputs that change again and again are not waited for longer: the greedy plan is then kept. The first attempt ends where
 * it meets a plan that is not solved: there is seldom another, and what would follow from a greedy one is undone anyway.
 */
const ATTEMPTS = 4;

/**
 * Runs a transaction that plans. Solving takes seconds, for which no transaction is held open: where a plan is not
 * solved yet, the transaction is undone, the plan is solved, and the transaction runs again. A plan is only used for
 * exactly the input that it was solved for. `work` may run several times.
 */
export async function withSolvedPlans<T>(
  { db, clock, solver, tell = () => undefined }: PlanningServices,
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
        tell(taskText(input));
        const solution = await solver.bestPlan(input);
        tell(`Found a plan: ${figuresText(figuresOf(solution))} …`);
        solved.exact.set(key, solution);
        solved.loose.set(looseKey, solution);
      }
    }
  }
}

/** Runs it in the same way and keeps nothing: what it would do is what it does. */
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

/** Ends a transaction of which nothing is to be kept. */
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
      // Several schedules that look at each other may never come to rest: the last plan for all but that is as good.
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
