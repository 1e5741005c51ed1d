import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ReadOnlyFault } from './identity.ts';
import { createWrites } from './writes.ts';

it('writes stall if none succeeds for ten seconds while one is pending', async () => {
  let now = 0;
  const writes = createWrites(() => now);
  const fail = () =>
    assert.rejects(
      writes.follow(() => Promise.reject(new ReadOnlyFault('takes no writes'))),
      ReadOnlyFault,
    );
  const state = () => [writes.failing, writes.stalledMs()];

  await writes.follow(async () => undefined);
  now = 60_000;
  assert.deepEqual(state(), [false, null], 'nobody wanted to write');
  await writes.follow(async () => undefined);
  now = 61_000;
  await fail();
  assert.deepEqual(state(), [true, null]);
  now = 69_999;
  await fail();
  assert.deepEqual(state(), [true, null]);
  now = 70_000;
  assert.deepEqual(state(), [true, 10_000]);
  await writes.follow(async () => undefined);
  assert.deepEqual(state(), [false, null]);

  // A write that hangs counts as pending. A process that was paused meanwhile gets some extra time.
  const { promise, resolve } = Promise.withResolvers<void>();
  now = 100_000;
  const hanging = writes.follow(() => promise);
  now = 104_999;
  assert.deepEqual(state(), [false, null]);
  now = 105_000;
  assert.deepEqual(state(), [false, 35_000]);
  resolve();
  await hanging;
  assert.deepEqual(state(), [false, null]);

  // A database that refuses one row still accepts others.
  await assert.rejects(writes.follow(() => Promise.reject(new Error('duplicate key'))));
  assert.deepEqual(state(), [false, null]);
});
