import type { LevelName } from './levels.ts';
import type { Choice, Model } from './program.ts';

/** Request and answer of the solver, in a module of its own because only the solver's thread loads HiGHS. */
export type SolverRequest = {
  model: Model;
  /** A plan that is known to be possible. The solver's plan is never worse. */
  start: Choice | null;
  timeLimitSeconds: number;
};

export type SolverStatus = 'optimal' | 'time_limit' | 'stopped';

/** By level, in points: a lower bound for plans that are as good in the earlier levels; null if nothing is proven. */
export type Bounds = Readonly<Record<LevelName, number | null>>;
export const NO_BOUNDS: Bounds = { coverage: null, moves: null, rest: null };

/** `choice` is null if no plan was found. */
export type SolverAnswer = {
  status: SolverStatus;
  choice: Choice | null;
  bounds: Bounds;
  /** Name and version of the solver. */
  solver: string;
};
