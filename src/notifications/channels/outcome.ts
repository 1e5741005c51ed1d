import { errorText } from '../../kit/error-text.ts';
import { withoutAddresses } from '../../kit/private-addresses.ts';
import type { Address, Channel, ChannelName, Outcome, Problem } from './channel.ts';
import type { Content } from './message.ts';

/** No attempt takes longer, whatever the caller's signal allows. */
const DEADLINE_MS = 10_000;
/** What a client library gets, after its signal fired, to tell how far it came. */
const LAST_WORDS_MS = 250;

export function accepted(providerId: string | null): Outcome {
  return { kind: 'accepted', providerId: providerId === null ? null : storable(providerId) };
}

export function refused(words: string, problem?: Problem): Outcome {
  const error = storable(words);
  return problem ? { kind: 'refused', error, problem } : { kind: 'refused', error };
}

export function retry(
  words: string,
  details: { maybeSent: boolean; retryAfterMs?: number | undefined; problem?: Problem | undefined },
): Outcome {
  const { maybeSent, retryAfterMs, problem } = details;
  return {
    kind: 'retry',
    error: storable(words),
    maybeSent,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(problem ? { problem } : {}),
  };
}

/**
 * What others say may hold what no database text can. An outcome that cannot be written down would leave its delivery
 * leased, and the person would get it again and again while the next channel waits.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

export type Attempt = (content: Content, address: Address, signal: AbortSignal) => Promise<Outcome>;

/**
 * Turns one attempt into a `Channel`: answers for a channel that is not set up, keeps the deadline even when the
 * attempt does not, and makes an outcome of anything that is thrown.
 */
export function makeChannel(name: ChannelName, unavailable: string | null, attempt: Attempt): Channel {
  return {
    name,
    unavailable,
    async send(content, address, signal) {
      if (unavailable) return refused(unavailable, { code: 'not_configured', fix: unavailable });
      if (signal.aborted) return retry('There was no time left for this attempt.', { maybeSent: false });
      return withinDeadline(signal, (limited) => attempt(content, address, limited));
    },
  };
}

async function withinDeadline(
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const limit = new AbortController();
  const abort = () => limit.abort(signal.reason);
  const deadline = setTimeout(() => limit.abort(), DEADLINE_MS);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([attempt(limit.signal), silenceAfter(limit.signal)]);
  } catch (error) {
    return retry(`The attempt failed unexpectedly: ${messageOf(error)}`, { maybeSent: true });
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', abort);
    // Whatever the attempt still holds open when the race is over is let go.
    limit.abort(OVER);
  }
}

/** Without a reason each attempt would make an error with its stack, which takes as long as all else here together. */
const OVER = new Error('The attempt is over.');

function silenceAfter(signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const giveUp = () => resolve(retry('There was no answer in time.', { maybeSent: true }));
  const wait = () => {
    if (signal.reason !== OVER) setTimeout(giveUp, LAST_WORDS_MS).unref();
  };
  signal.addEventListener('abort', wait, { once: true });
  return promise;
}

export function messageOf(error: unknown): string {
  return withoutAddresses(errorText(error));
}
