import { Worker } from 'node:worker_threads';
import { errorText } from '../kit/error-text.ts';

/** The limits of a thread, and the sentences for its failures. */
export type ThreadTerms = {
  /** The script, which posts one message: the answer. */
  script: URL;
  deadlineMs: number;
  mostMegabytes: number;
  /** `broken` gets the text of the error. */
  words: { overdue: string; broken: (error: string) => string; ended: string };
};

/** Answers one question in a thread of its own, which ends with its answer or at its deadline. Never rejects. */
export function inThread<Answer>(
  question: unknown,
  { script, deadlineMs, mostMegabytes, words }: ThreadTerms,
): Promise<Answer | { error: string }> {
  const { promise, resolve } = Promise.withResolvers<Answer | { error: string }>();
  const worker = new Worker(script, {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const overdue = setTimeout(() => {
    resolve({ error: words.overdue });
    worker.terminate();
  }, deadlineMs);
  worker.on('message', resolve);
  worker.on('error', (error) => resolve({ error: words.broken(errorText(error)) }));
  worker.on('exit', () => {
    clearTimeout(overdue);
    resolve({ error: words.ended });
  });
  return promise;
}
