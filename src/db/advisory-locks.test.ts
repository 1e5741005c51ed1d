import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LOCK } from './advisory-locks.ts';

it('no two advisory locks have the same number', () => {
  const numbers = Object.values(LOCK);
  assert.equal(new Set<number>(numbers).size, numbers.length);
});
