/** A thread that solves one program and ends: with it goes all the memory that the solver took. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Bounds, SolverAnswer, SolverRequest } from './answer.ts';
import { loadHighs, solveWith } from './highs.ts';
import type { Choice } from './valuation.ts';

/** What the thread tells: better plans as they are found, then its answer. */
export type SolverMessage =
  | { kind: 'improved'; choice: Choice; bounds: Bounds }
  | { kind: 'answer'; answer: SolverAnswer };

const tell = (message: SolverMessage) => parentPort?.postMessage(message);

const highs = await loadHighs();
const answer = solveWith(highs, workerData as SolverRequest, (choice, bounds) =>
  tell({ kind: 'improved', choice, bounds }),
);
tell({ kind: 'answer', answer });
