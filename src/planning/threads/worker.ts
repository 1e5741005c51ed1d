/** The script of a thread that runs one task and ends, so that all of its memory is freed. */
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
  /** Time limit for one program. */
  mostSeconds: number;
  /** HiGHS; null for tasks without programs. */
  compiled: WebAssembly.Module | null;
  /** Answers of the programs that a failed thread ran; null for the first thread. */
  found: readonly SolverAnswer[] | null;
};

/** What a thread reports. */
export type ThreadMessage<K extends WorkName = WorkName> =
  /** A program starts and may take this long. `answer`: used if the thread fails before it finds anything. */
  | { kind: 'begun'; seconds: number; answer: SolverAnswer }
  /** An answer of the program that started last. */
  | { kind: 'improved' | 'solved'; answer: SolverAnswer }
  | { kind: 'progress'; soFar: Progress }
  | { kind: 'result'; result: Work[K]['result'] };

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
const { name, given, mostSeconds, compiled, found } = workerData as Assignment;
const programs = found ? replayed(found) : reported(programsHere({ mostSeconds, compiled }), tell);
const result = await workOut(name, given, programs, (soFar) => tell({ kind: 'progress', soFar }));
tell({ kind: 'result', result });
