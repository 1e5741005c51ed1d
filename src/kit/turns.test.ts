import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

test('work waits for its turn, in the order of arrival, even behind work that fails', async () => {
  const turns = createTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const results = ['a', 'b', 'c', 'd'].map((name) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    const work = () => {
      begun.push(name);
      return end.promise;
    };
    return turns.run(work).then(
      () => `${name} done`,
      () => `${name} failed`,
    );
  });
  assert.deepEqual(begun, ['a', 'b']);
  ends.get('b')?.reject(new Error('b'));
  assert.equal(await results[1], 'b failed');
  assert.deepEqual(begun, ['a', 'b', 'c']);
  ends.get('c')?.resolve();
  assert.equal(await results[2], 'c done');
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  ends.get('a')?.resolve();
  ends.get('d')?.resolve();
  assert.deepEqual(await Promise.all(results), ['a done', 'b failed', 'c done', 'd done']);
});

test('cancelled work leaves the queue and never begins', async () => {
  const turns = createTurns(1);
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const leaving = new AbortController();
  const one = turns.run(() => first.promise);
  const two = turns.run(async () => void begun.push('two'), leaving.signal);
  const three = turns.run(async () => void begun.push('three'), new AbortController().signal);
  leaving.abort(new Error('left'));
  await assert.rejects(two, /left/);
  await assert.rejects(
    turns.run(async () => void begun.push('four'), leaving.signal),
    /left/,
  );
  first.resolve();
  await Promise.all([one, three]);
  assert.deepEqual(begun, ['three']);
  await turns.run(async () => void begun.push('five'));
  assert.deepEqual(begun, ['three', 'five']);
});
