import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unhurried } from './unhurried.ts';

/** Keeps the process busy until a time. */
function busyUntil(at: number): void {
  while (performance.now() < at);
}

test('lets others run while long work is done, and returns its result', async () => {
  let done = 0;
  const seen: number[] = [];
  const look = () => {
    seen.push(done);
    if (done < 20) setImmediate(look);
  };
  setImmediate(look);
  const result = await unhurried(
    (function* () {
      for (; done < 20; done++) {
        busyUntil(performance.now() + 4);
        yield;
      }
      return 'done';
    })(),
  );
  assert.equal(result, 'done');
  const apart = seen.map((count, index) => count - (seen[index - 1] ?? 0));
  assert.ok(Math.max(...apart) <= 4, `between two looks so many parts were done: ${apart}`);
});

test('passes errors of the work to its caller', async () => {
  const broken = (function* (): Generator<void> {
    yield;
    throw new Error('the third row');
  })();
  await assert.rejects(unhurried(broken), /the third row/);
});
