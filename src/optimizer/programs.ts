import { type Bounds, NO_BOUNDS, type SolverAnswer, type SolverRequest } from './answer.ts';
import { loadHighs, solveWith } from './highs.ts';
import type { Choice } from './program.ts';

/** Solves programs. */
export type Programs = {
  /** `improved` hears of every better plan that is found. */
  solve(request: SolverRequest, improved?: (choice: Choice, bounds: Bounds) => void): Promise<SolverAnswer>;
};

/** Larger programs would take gigabytes: they are not begun. */
const MOST_COLUMNS = 150_000;
/** Of a program that was not begun, or has found nothing. */
export const NOTHING: SolverAnswer = { status: 'stopped', choice: null, bounds: NO_BOUNDS, solver: 'none' };

/**
 * On the thread of whoever asks, which does nothing else for as long as a program takes. HiGHS is loaded for the first
 * one. `mostSeconds`: for a program, whatever it is allowed itself.
 */
export function programsHere({ mostSeconds = Number.POSITIVE_INFINITY } = {}): Programs {
  let loading: ReturnType<typeof loadHighs> | null = null;
  return {
    async solve(request, improved = () => undefined) {
      if (request.model.numCols > MOST_COLUMNS) return NOTHING;
      loading ??= loadHighs();
      const timeLimitSeconds = Math.min(request.timeLimitSeconds, mostSeconds);
      return solveWith(await loading, { ...request, timeLimitSeconds }, improved);
    },
  };
}
