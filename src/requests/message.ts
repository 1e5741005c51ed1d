import { instantText } from '../kit/instant.ts';
import type { RequestStatus } from './contract.ts';

/** What is kept of a request's progress. */
type Progress = { status: RequestStatus; message: string; nextAttemptAt: Temporal.Instant | null };

/**
 * What a request says about itself in the state that it is in. The sentence that is stored belongs to its beginning,
 * and after its end to its outcome; between the two the state says it.
 */
export function messageOf({ status, message, nextAttemptAt }: Progress): string {
  if (status === 'processing') return 'The request is being processed; its outcome is not known yet.';
  if (status !== 'retrying') return message;
  const next = nextAttemptAt ? `the next one is due at ${instantText(nextAttemptAt)}` : 'another one follows';
  return `The latest attempt failed and ${next}; errors says what went wrong.`;
}
