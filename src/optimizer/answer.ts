import type { LevelName } from './levels.ts';
import type { Choice, Model } from './program.ts';

/** What the thread of the solver is asked and answers; apart from the solver, which is loaded in that thread alone. */
export type SolverRequest = {
  model: Model;
  /** A plan that is known to be possible; the solver's is never worse. */
  start: Choice | null;
  timeLimitSeconds: number;
};

export type SolverStatus = 'optimal' | 'time_limit' | 'stopped';

/** By level, in points: no plan that is as good in the levels before costs less; null when nothing is proven. */
export type Bounds = Readonly<Record<LevelName, number | null>>;
export const NO_BOUNDS: Bounds = { coverage: null, moves: null, rest: null };

/** `choice` is null when no plan was found. */
export type SolverAnswer = {
  status: SolverStatus;
  choice: Choice | null;
  bounds: Bounds;
  /** Name and version. */
  solver: string;
};
