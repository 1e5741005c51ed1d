import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long such work keeps the process from everything else, in milliseconds. */
const LONGEST_MS = 10;

/** Runs work that takes a while. Where it yields, the process does what else there is, if it could not for too long. */
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
