import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { lendDatabase } from '../db/lent.ts';
import { type Detail, Fault, type FaultCode } from '../kit/fault.ts';
import { languageHere } from '../language/ambient.ts';
import { type Language, t } from '../language/contract.ts';
import type { FinishedAnswer } from './answer.ts';
import type { HeldUpload } from './held-upload.ts';
import { type UploadTask, workOnUpload } from './upload-work.ts';

/** A smaller body is processed in this thread, because starting another one would take longer. */
const SMALL_BYTES = 128 * 1024;

/** A hundred thousand rows need half of it. */
const MOST_MEGABYTES = 256;

/** Ten times the duration of the largest upload on a slow machine. */
const DEADLINE_MS = 10 * 60_000;

export type UploadThreadServices = {
  db: Database;
  clock: Clock;
  /** The most memory that a thread may take. */
  threadMegabytes?: number;
};

/** The input of the thread. */
export type ThreadWork = {
  task: UploadTask;
  at: string;
  /** The body, or the path of the file that contains it. */
  body: Uint8Array<ArrayBuffer> | string;
  /** The file for a large answer. */
  answerPath: string;
  /** Of the answer. */
  language: Language;
  /** Leads to the database. */
  port: MessagePort;
};

/** The reports of the thread. */
export type ThreadOutcome =
  | { kind: 'text'; status: number; text: string }
  /** The answer is in the file. */
  | { kind: 'file'; status: number; bytes: number }
  | { kind: 'fault'; code: FaultCode; details: Detail[]; headers: Record<string, string> }
  /** A statement of the database failed. */
  | { kind: 'statement'; statement: number }
  | { kind: 'broken'; error: string };

/**
 * Processes an upload. Reading, sorting and rendering up to a hundred thousand rows takes seconds, and leaves memory
 * behind that has to be collected. A thread with its own heap does this for all but small bodies, so that pages do not
 * wait.
 */
export async function runHeldUpload(
  { db, clock, threadMegabytes = MOST_MEGABYTES }: UploadThreadServices,
  held: HeldUpload,
  task: UploadTask,
): Promise<FinishedAnswer> {
  held.signal.throwIfAborted();
  const at = await clock.now(db);
  if (held.size() <= SMALL_BYTES)
    return held.finish(await workOnUpload(db, at, task, await held.body(), held.signal));
  return held.passOn(async (body, answerPath) => {
    const given = { task, at: at.toString(), body, answerPath, language: languageHere() };
    const outcome = await inThread(db, held.signal, given, threadMegabytes);
    return { status: outcome.status, content: outcome.kind === 'text' ? outcome.text : outcome.bytes };
  });
}

type Finished = Extract<ThreadOutcome, { kind: 'text' | 'file' }>;

async function inThread(
  db: Database,
  signal: AbortSignal,
  given: Omit<ThreadWork, 'port'>,
  mostMegabytes: number,
): Promise<Finished> {
  const { port1, port2: port } = new MessageChannel();
  const loan = lendDatabase(db, port1);
  const worker = new Worker(new URL('./upload-worker.ts', import.meta.url), {
    workerData: { ...given, port } satisfies ThreadWork,
    transferList: typeof given.body === 'string' ? [port] : [port, given.body.buffer],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  try {
    const outcome = await outcomeOf(worker, signal);
    if (outcome.kind === 'text' || outcome.kind === 'file') return outcome;
    if (outcome.kind === 'fault') throw new Fault(outcome.code, outcome.details, outcome.headers);
    if (outcome.kind === 'statement') throw loan.failureOf(outcome.statement);
    throw new Error(`the thread of an upload failed: ${outcome.error}`);
  } finally {
    await worker.terminate();
    await loan.end();
  }
}

/** Rejects with the reason of the signal if it is aborted before the thread has an outcome. */
async function outcomeOf(worker: Worker, signal: AbortSignal): Promise<ThreadOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome>();
  const leave = () => reject(signal.reason);
  const overdue = setTimeout(() => reject(tooSlow()), DEADLINE_MS);
  signal.addEventListener('abort', leave, { once: true });
  worker.on('message', resolve);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error),
  );
  worker.on('exit', () => reject(new Error('the thread of an upload ended without an answer')));
  if (signal.aborted) leave();
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', leave);
  }
}

function tooMuch(): Fault {
  return new Fault('payload_too_large', [
    {
      field: 'file',
      message: t('takes more memory than an upload may take, and nothing was saved; split it'),
    },
  ]);
}

function tooSlow(): Fault {
  return new Fault('unavailable', [
    {
      field: 'upload',
      message: t('took too long, and nothing was saved; split the file or send it again later'),
    },
  ]);
}
