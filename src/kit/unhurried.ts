import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the work may block the event loop at a stretch, in milliseconds. */
const LONGEST_MS = 10;

/**
 * Runs long synchronous work. Wherever the generator yields, other events are handled if the limit has been reached.
 */
export async function unhurried<Result>(work: Generator<void, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < LONGEST_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
