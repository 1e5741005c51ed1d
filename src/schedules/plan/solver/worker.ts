/** A thread that solves one program and ends: with it goes all the memory that the solver took. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadHighs, type SolverAnswer, type SolverRequest, solveWith } from './highs.ts';
import type { Choice } from './valuation.ts';

/** What the thread tells: better plans as they are found, then its answer. */
export type SolverMessage =
  | { kind: 'improved'; choice: Choice; bound: number | null }
  | { kind: 'answer'; answer: SolverAnswer };

const tell = (message: SolverMessage) => parentPort?.postMessage(message);

const highs = await loadHighs();
const answer = solveWith(highs, workerData as SolverRequest, (choice, bound) =>
  tell({ kind: 'improved', choice, bound }),
);
tell({ kind: 'answer', answer });
