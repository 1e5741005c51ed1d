import { type Bounds, NO_BOUNDS, type SolverAnswer, type SolverRequest } from './answer.ts';
import { loadHighs, solveWith } from './highs.ts';
import type { Choice } from './program.ts';

/** Solves integer programs. */
export type Programs = {
  /** Calls `improved` for every better plan. */
  solve(request: SolverRequest, improved?: (choice: Choice, bounds: Bounds) => void): Promise<SolverAnswer>;
};

/** Larger programs would take gigabytes and are not started. */
const MOST_COLUMNS = 150_000;
/** The answer for a program that was not started, or found nothing. */
export const NOTHING: SolverAnswer = { status: 'stopped', choice: null, bounds: NO_BOUNDS, solver: 'none' };

/**
 * Solves programs in the calling thread, which is blocked meanwhile. Loads HiGHS for the first one. `mostSeconds`: an
 * upper limit for each program, in addition to its own.
 */
export function programsHere({
  mostSeconds = Number.POSITIVE_INFINITY,
  compiled = null,
}: {
  mostSeconds?: number;
  compiled?: WebAssembly.Module | null;
} = {}): Programs {
  let loading: ReturnType<typeof loadHighs> | null = null;
  return {
    async solve(request, improved = () => undefined) {
      if (request.model.numCols > MOST_COLUMNS) return NOTHING;
      loading ??= loadHighs(compiled);
      const timeLimitSeconds = Math.min(request.timeLimitSeconds, mostSeconds);
      return solveWith(await loading, { ...request, timeLimitSeconds }, improved);
    },
  };
}
