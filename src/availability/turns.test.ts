import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

test('work waits for its turn, in the order in which it came, also behind work that fails', async () => {
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
