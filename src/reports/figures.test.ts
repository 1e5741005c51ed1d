import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { gini } from './figures.ts';

describe('figures', () => {
  it('measure inequality like a comparison of all pairs of people', () => {
    const loads = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(loads, (all) => {
        const sum = all.reduce((total, value) => total + value, 0);
        const pairs = all.reduce((total, a) => total + all.reduce((row, b) => row + Math.abs(a - b), 0), 0);
        const expected = sum === 0 ? 0 : pairs / (2 * all.length * sum);
        assert.ok(Math.abs(gini(all) - expected) < 1e-9);
      }),
    );
  });
});
