import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actOnEach } from './bulk.ts';
import { rangeOf } from './selecting.ts';

describe('an action on several items', () => {
  it('gives the reason for each failed item, and does the rest', async () => {
    const result = await actOnEach([1, 2, 3, 4, 5], async (item) => {
      if (item === 2) throw new Error('page belongs to the team Payments.');
      return { changed: item !== 4, message: `The page ${item} was already resolved.` };
    });
    assert.deepEqual(result, {
      done: [1, 3, 5],
      failed: [
        { item: 2, why: 'page belongs to the team Payments.' },
        { item: 4, why: 'The page 4 was already resolved.' },
      ],
    });
  });

  it('runs at most three requests at a time', async () => {
    let [running, most] = [0, 0];
    await actOnEach(
      Array.from({ length: 20 }, (_, index) => index),
      async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return { changed: true, message: '' };
      },
    );
    assert.equal(most, 3);
  });
});

describe('a range of rows', () => {
  it('works in both directions and begins at a visible row', () => {
    const ids = ['a', 'b', 'c', 'd'];
    assert.deepEqual(rangeOf(ids, 'b', 'd'), ['b', 'c', 'd']);
    assert.deepEqual(rangeOf(ids, 'd', 'b'), ['b', 'c', 'd']);
    assert.deepEqual(rangeOf(ids, null, 'b'), ['b']);
    assert.deepEqual(rangeOf(ids, 'gone', 'b'), ['b']);
  });
});
