import { errorText } from '../../kit/error-text.ts';
import { withoutAddresses } from '../../kit/private-addresses.ts';
import { stored } from '../../language/contract.ts';
import type { Address, Channel, ChannelName, Outcome, Problem, Resolution } from './channel.ts';
import type { Content } from './message.ts';
import { oneLine } from './wording.ts';

/** The time limit of an attempt, even if the caller's signal allows more. */
export const DEADLINE_MS = 10_000;
/** How long a client library may take after its signal aborted, to report how far it got. */
const LAST_WORDS_MS = 250;

export function accepted(providerId: string | null): Outcome {
  return { kind: 'accepted', providerId: providerId === null ? null : storable(providerId) };
}

export function refused(words: string, problem?: Problem): Outcome {
  const error = oneLine(words);
  return problem ? { kind: 'refused', error, problem } : { kind: 'refused', error };
}

export function retry(
  words: string,
  details: { maybeSent: boolean; retryAfterMs?: number | undefined; problem?: Problem | undefined },
): Outcome {
  const { maybeSent, retryAfterMs, problem } = details;
  return {
    kind: 'retry',
    error: oneLine(words),
    maybeSent,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(problem ? { problem } : {}),
  };
}

/**
 * Removes characters that PostgreSQL cannot store. If an outcome could not be recorded, its delivery would stay leased,
 * and the person would be notified again and again while the next channel waits. Errors lose all control characters, because
 * they may repeat the words of a stranger's server, and terminals show them too.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

export type Attempt<What = Content> = (what: What, address: Address, signal: AbortSignal) => Promise<Outcome>;

/**
 * Turns attempts into a `Channel`. It refuses when the channel is not set up, enforces the deadline even if an attempt
 * ignores it, and turns thrown errors into outcomes. `unavailable` is a function for a provider that may be set up while
 * the service runs.
 */
export function makeChannel(
  name: ChannelName,
  unavailable: string | null | (() => string | null),
  attempt: Attempt,
  resolve: Attempt<Resolution> | null = null,
): Channel {
  const missingNow = () => (typeof unavailable === 'function' ? unavailable() : unavailable);
  const guarded =
    <What>(one: Attempt<What>) =>
    async (what: What, address: Address, signal?: AbortSignal): Promise<Outcome> => {
      const missing = missingNow();
      if (missing) return refused(missing, { code: 'not_configured', fix: missing });
      if (signal?.aborted)
        return retry(stored('There was no time left for this attempt.'), { maybeSent: false });
      return withinDeadline(signal, (limited) => one(what, address, limited));
    };
  return {
    name,
    get unavailable() {
      return missingNow();
    },
    send: guarded(attempt),
    resolve: resolve && guarded(resolve),
  };
}

/** Ends with an outcome soon after the deadline of an attempt or `signal`, and turns thrown errors into outcomes. */
export async function withinDeadline(
  signal: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  const deadline = setTimeout(() => limit.abort(), DEADLINE_MS);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([attempt(limit.signal), silenceAfter(limit.signal)]);
  } catch (error) {
    return retry(stored('The attempt failed unexpectedly: {error}', { error: messageOf(error) }), {
      maybeSent: true,
    });
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
    // Release what the attempt still holds open.
    limit.abort(OVER);
  }
}

/**
 * A shared reason, because `abort` would otherwise create an error with a stack each time, which takes as long as the
 * rest of this function.
 */
const OVER = new Error('The attempt has ended.');

function silenceAfter(signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const giveUp = () => resolve(retry(stored('There was no answer in time.'), { maybeSent: true }));
  const wait = () => {
    if (signal.reason !== OVER) setTimeout(giveUp, LAST_WORDS_MS).unref();
  };
  signal.addEventListener('abort', wait, { once: true });
  return promise;
}

export function messageOf(error: unknown): string {
  return withoutAddresses(errorText(error));
}
