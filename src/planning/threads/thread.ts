import { Worker } from 'node:worker_threads';
import type { SolverAnswer } from '../../optimizer/answer.ts';
import { compiledHighs } from '../../optimizer/compiled.ts';
import type { Progress } from '../solver/planning.ts';
import type { Work, WorkName } from './work.ts';
import type { Assignment, ThreadMessage } from './worker.ts';

/** Time to load HiGHS, and for its last step to notice that time is up. */
const GRACE_MS = 5_000;
/** Everything between programs takes far less than this. */
const BETWEEN_PROGRAMS_MS = 60_000;

export type ThreadOptions = {
  /** Time limit for one program. */
  mostSeconds: number;
  /** The script that runs in the thread. */
  worker: URL;
  progress: (soFar: Progress) => void;
};

/**
 * Runs a task in a separate thread. If the thread crashes or has to be stopped, a second thread continues with HiGHS's
 * results so far, without running a program again. @throws the error of the second thread if that fails as well
 */
export async function inThread<K extends WorkName>(
  name: K,
  given: Work[K]['given'],
  options: ThreadOptions,
): Promise<Work[K]['result']> {
  const found: SolverAnswer[] = [];
  // Turns are taken without programs.
  const compiled = name === 'inTurns' ? null : await compiledHighs();
  const assignment: Assignment<K> = {
    ...{ name, given, compiled, found: null },
    mostSeconds: options.mostSeconds,
  };
  try {
    return await runThread(assignment, options, found);
  } catch {
    return runThread({ ...assignment, found }, options, []);
  }
}

/** `found` collects the best known answer of each program. */
function runThread<K extends WorkName>(
  assignment: Assignment<K>,
  { worker: url, progress }: ThreadOptions,
  found: SolverAnswer[],
): Promise<Work[K]['result']> {
  const { promise, resolve, reject } = Promise.withResolvers<Work[K]['result']>();
  const worker = new Worker(url, {
    workerData: assignment,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let overdue: NodeJS.Timeout;
  const allow = (ms: number) => {
    clearTimeout(overdue);
    overdue = setTimeout(() => worker.terminate(), ms);
  };
  allow(BETWEEN_PROGRAMS_MS);
  worker.on('message', (message: ThreadMessage<K>) => {
    switch (message.kind) {
      case 'begun':
        found.push(message.answer);
        return allow(message.seconds * 1_000 + GRACE_MS);
      case 'improved':
        found.splice(-1, 1, message.answer);
        return;
      case 'solved':
        found.splice(-1, 1, message.answer);
        return allow(BETWEEN_PROGRAMS_MS);
      case 'progress':
        return progress(message.soFar);
      case 'result':
        return resolve(message.result);
    }
  });
  let failure: unknown = new Error(`the thread for ${assignment.name} was stopped before it was done`);
  worker.on('error', (error) => {
    failure = error;
  });
  // Messages sent before a failure may arrive after the error, but never after the exit.
  worker.on('exit', () => {
    clearTimeout(overdue);
    reject(failure);
  });
  return promise;
}
