import assert from 'node:assert/strict';
import { PATIENCE_MS } from './patience.ts';

/** Reads again until the answer is as expected. Only for rows and answers whose change has no signal to wait for. */
export async function eventually<T>(
  read: () => Promise<T>,
  expected: T,
  withinMs = PATIENCE_MS,
): Promise<void> {
  const deadline = AbortSignal.timeout(withinMs);
  let last = await read();
  while (!deadline.aborted && JSON.stringify(last) !== JSON.stringify(expected)) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    last = await read();
  }
  assert.deepEqual(last, expected);
}
