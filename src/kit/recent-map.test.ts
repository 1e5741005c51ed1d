import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentMap } from './recent-map.ts';

test('a map of recent entries drops only the one that was unused for longest', () => {
  const map = createRecentMap<string, number>(3);
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value);
  assert.equal(map.get('a'), 0);
  map.set('d', 3);
  assert.equal(map.size, 3);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
    [0, undefined, 2, 3],
  );
  map.set('c', 5);
  map.delete('a');
  map.set('e', 4);
  assert.deepEqual(
    ['a', 'c', 'd', 'e'].map((key) => map.get(key)),
    [undefined, 5, 3, 4],
  );
});
