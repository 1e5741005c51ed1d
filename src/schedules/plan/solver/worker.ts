/** A thread that solves one program and ends: with it goes all the memory that the solver took. */
import { parentPort, workerData } from 'node:worker_threads';
import loadHighs from 'highs';
import { type SolverAnswer, type SolverRequest, solveWith } from './highs.ts';
import type { Choice } from './valuation.ts';

/** What the thread tells: better plans as they are found, then its answer. */
export type SolverMessage =
  | { kind: 'improved'; choice: Choice; bound: number | null }
  | { kind: 'answer'; answer: SolverAnswer };

const tell = (message: SolverMessage) => parentPort?.postMessage(message);

// The types are written for CommonJS, where the function is a member; in a module it is the default itself.
const load = loadHighs as unknown as typeof loadHighs.default;
const highs = await load();
const answer = solveWith(highs, workerData as SolverRequest, (choice, bound) =>
  tell({ kind: 'improved', choice, bound }),
);
tell({ kind: 'answer', answer });
