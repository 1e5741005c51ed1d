import { Worker } from 'node:worker_threads';
import type { SolverAnswer, SolverRequest } from './highs.ts';
import type { SolverMessage } from './worker.ts';

/** Solves programs away from the thread that answers requests. */
export type Solver = { solve(request: SolverRequest): Promise<SolverAnswer> };

/** Larger programs would take gigabytes: they are not begun. */
const MOST_COLUMNS = 150_000;
/** For loading the solver, and for its last step to see that time is up. */
const GRACE_MS = 5_000;
const NOTHING: SolverAnswer = { status: 'stopped', choice: null, bound: null };

/**
 * One program at a time, in the order of asking, each in a thread of its own that ends with it. Never fails and never
 * takes much longer than its limit: a thread that crashes or does not stop is ended, and the best plan that it told of
 * is the answer.
 */
export function createSolver(): Solver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    solve(request) {
      if (request.model.numCols > MOST_COLUMNS) return Promise.resolve(NOTHING);
      const answer = last.then(() => solveInThread(request));
      last = answer;
      return answer;
    },
  };
}

function solveInThread(request: SolverRequest): Promise<SolverAnswer> {
  const { promise, resolve } = Promise.withResolvers<SolverAnswer>();
  let best = NOTHING;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const overdue = setTimeout(() => worker.terminate(), request.timeLimitSeconds * 1_000 + GRACE_MS);
  worker.on('message', (message: SolverMessage) => {
    if (message.kind === 'answer') best = message.answer;
    else best = { status: 'stopped', choice: message.choice, bound: message.bound };
  });
  // What it found before counts; the end of the thread follows.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    clearTimeout(overdue);
    resolve(best);
  });
  return promise;
}
