/** A thread that works one thing out and ends: with it goes all the memory that this took. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SolverAnswer } from '../../optimizer/answer.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { Progress } from '../solver/planning.ts';
import { replayed, reported } from './report.ts';
import type { Work, WorkName } from './work.ts';
import { workOut } from './work-out.ts';

export type Assignment<K extends WorkName = WorkName> = {
  name: K;
  given: Work[K]['given'];
  /** For a program. */
  mostSeconds: number;
  /** What programs were answered by a thread that failed; null: nothing was tried yet. */
  found: readonly SolverAnswer[] | null;
};

/** What a thread tells. */
export type ThreadMessage<K extends WorkName = WorkName> =
  /** A program begins and may take so long; `answer`: what is known of it without. */
  | { kind: 'begun'; seconds: number; answer: SolverAnswer }
  /** Of the program that began last. */
  | { kind: 'improved' | 'solved'; answer: SolverAnswer }
  | { kind: 'progress'; soFar: Progress }
  | { kind: 'result'; result: Work[K]['result'] };

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
const { name, given, mostSeconds, found } = workerData as Assignment;
const programs = found ? replayed(found) : reported(programsHere({ mostSeconds }), tell);
const result = await workOut(name, given, programs, (soFar) => tell({ kind: 'progress', soFar }));
tell({ kind: 'result', result });
