import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

/** A deadline for work that has none of its own, such as a script in a page; the error names the work. */
export async function within<T>(work: Promise<T>, what: string, ms = PATIENCE_MS): Promise<T> {
  const ended = new AbortController();
  const late = delay(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${what} did not finish within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}
