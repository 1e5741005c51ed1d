import { stored } from '../language/contract.ts';
import type { RecordingResult } from '../moments/recording.ts';

/** How the processing of a call ended: the reason for the list of calls, and the message for its request. */
export type Outcome = {
  state: 'success' | 'error' | 'ignored';
  reason: string | null;
  message: string;
};

/** Why a call without events is ignored. */
export const NO_EVENT = stored('The call contains no event.');

/** `of`: the call. A call of a page source should page somebody, and others should record a moment. */
export function failed(reason: string, of: { source: unknown }): Outcome {
  const message =
    of.source === null
      ? stored('No moment was recorded: {reason}', { reason })
      : stored('Nobody was paged: {reason}', { reason });
  return { state: 'error', reason, message };
}

export function ignored(reason: string): Outcome {
  const continued = reason.replace(/^(It|No|The|This)\b/, (word) => word.toLowerCase());
  return { state: 'ignored', reason, message: stored('Ignored: {reason}', { reason: continued }) };
}

export function recorded({ created, changed, reasons }: RecordingResult): Outcome {
  if (created === 0 && changed === 0) return ignored(reasons[0] ?? NO_EVENT);
  const [one = '', two] = [
    ...(created > 0 ? [createdText(created)] : []),
    ...(changed > 0 ? [updatedText(changed)] : []),
  ];
  const message = two === undefined ? `${one}.` : stored('{one} and {two}.', { one, two });
  return { state: 'success', reason: null, message };
}

/** The outcome of a call of which another part could not be read. `problem`: a sentence. */
export function withUnread(outcome: Outcome, problem: string): Outcome {
  const reason = stored('A part of the call could not be read: {problem}', { problem });
  return { ...outcome, reason: outcome.reason ?? reason, message: `${outcome.message} ${reason}` };
}

/** The outcome of a call that paged although its moment could not be recorded. */
export function withoutMoment(paged: Outcome): Outcome {
  const reason = stored("Its moment could not be recorded; Tocsin's log gives the reason.");
  return { state: paged.state, reason: paged.reason ?? reason, message: `${paged.message} ${reason}` };
}

function createdText(count: number): string {
  return count === 1 ? stored('1 moment was created') : stored('{count} moments were created', { count });
}

function updatedText(count: number): string {
  return count === 1 ? stored('1 moment was updated') : stored('{count} moments were updated', { count });
}

/** After this many attempts with internal errors, a call fails; people can retry it. */
export const MAX_ATTEMPTS = 5;

/** The delay before the next attempt after `attempts` failed ones: 1 s, 2 s, 4 s and so on, at most a minute. */
export function retryDelayMs(attempts: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, attempts - 1)));
}
