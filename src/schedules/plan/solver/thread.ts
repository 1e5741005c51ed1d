import { Worker } from 'node:worker_threads';
import { type Bounds, NO_BOUNDS, type SolverAnswer, type SolverRequest } from './answer.ts';
import type { Choice } from './valuation.ts';
import type { SolverMessage } from './worker.ts';

/** Solves programs away from the thread that answers requests. */
export type Solver = {
  /** `improved` hears of every better plan that is found. */
  solve(request: SolverRequest, improved?: (choice: Choice, bounds: Bounds) => void): Promise<SolverAnswer>;
};

/** Larger programs would take gigabytes: they are not begun. */
const MOST_COLUMNS = 150_000;
/** For loading the solver, and for its last step to see that time is up. */
const GRACE_MS = 5_000;
const NOTHING: SolverAnswer = { status: 'stopped', choice: null, bounds: NO_BOUNDS, solver: 'none' };

/**
 * One program at a time, in the order of asking, each in a thread of its own that ends with it. Never fails and never
 * takes much longer than its limit: a thread that crashes or does not stop is ended, and the best plan that it told of
 * is the answer. `mostSeconds`: for a program, whatever it is allowed itself.
 */
export function createSolver({ mostSeconds = Number.POSITIVE_INFINITY } = {}): Solver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    solve(request, improved = () => undefined) {
      if (request.model.numCols > MOST_COLUMNS) return Promise.resolve(NOTHING);
      const timeLimitSeconds = Math.min(request.timeLimitSeconds, mostSeconds);
      const answer = last.then(() => solveInThread({ ...request, timeLimitSeconds }, improved));
      last = answer;
      return answer;
    },
  };
}

function solveInThread(
  request: SolverRequest,
  improved: (choice: Choice, bounds: Bounds) => void,
): Promise<SolverAnswer> {
  const { promise, resolve } = Promise.withResolvers<SolverAnswer>();
  let best = NOTHING;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const overdue = setTimeout(() => worker.terminate(), request.timeLimitSeconds * 1_000 + GRACE_MS);
  worker.on('message', (message: SolverMessage) => {
    if (message.kind === 'answer') best = message.answer;
    else {
      best = { ...best, status: 'stopped', choice: message.choice, bounds: message.bounds };
      improved(message.choice, message.bounds);
    }
  });
  // What it found before counts; the end of the thread follows.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    clearTimeout(overdue);
    resolve(best);
  });
  return promise;
}
