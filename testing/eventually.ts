import assert from 'node:assert/strict';

/** Reads again until the answer is as expected: for what shows in rows or answers only, with no signal to wait for. */
export async function eventually<T>(read: () => Promise<T>, expected: T, withinMs = 5_000): Promise<void> {
  const deadline = AbortSignal.timeout(withinMs);
  let last = await read();
  while (!deadline.aborted && JSON.stringify(last) !== JSON.stringify(expected)) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    last = await read();
  }
  assert.deepEqual(last, expected);
}
