/** The script of a thread that processes one large upload and ends, so that all of its memory is freed. */
import { constants, getPriority, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { borrowDatabase, StatementFailed } from '../db/lent.ts';
import { errorText } from '../kit/error-text.ts';
import { Fault } from '../kit/fault.ts';
import { inLanguage } from '../language/ambient.ts';
import { spoolTo, takeSpooled } from './spool.ts';
import type { ThreadOutcome, ThreadWork } from './upload-thread.ts';
import { workOnUpload } from './upload-work.ts';

// On Linux this concerns only this thread. Pages come first. A service that was started with a lower priority may not
// raise it again.
if (process.platform === 'linux')
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));

async function work({ task, at, body, answerPath, port }: ThreadWork): Promise<ThreadOutcome> {
  const bytes = typeof body === 'string' ? await takeSpooled(body) : Buffer.from(body.buffer);
  const db = borrowDatabase(port);
  // When the client disconnects, the process ends the thread.
  const { signal } = new AbortController();
  const answer = await workOnUpload(db, Temporal.Instant.from(at), task, bytes, signal);
  const content = answer.body();
  if (content instanceof Readable)
    return { kind: 'file', status: answer.status, bytes: await spoolTo(answerPath, content, Infinity) };
  return { kind: 'text', status: answer.status, text: content.toString() };
}

function failed(error: unknown): ThreadOutcome {
  if (error instanceof StatementFailed) return { kind: 'statement', statement: error.statement };
  if (error instanceof Fault)
    return { kind: 'fault', code: error.code, details: error.details, headers: error.headers };
  return { kind: 'broken', error: errorText(error) };
}

const given = workerData as ThreadWork;
const outcome = await inLanguage(given.language, () => work(given)).catch(failed);
given.port.close();
parentPort?.postMessage(outcome);
