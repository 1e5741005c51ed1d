import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTicks, durationTicks } from './words.ts';

describe('the marks of an axis', () => {
  it('are whole, even and round, and reach the maximum', () => {
    assert.deepEqual(countTicks(0), [0, 1]);
    assert.deepEqual(countTicks(3), [0, 1, 2, 3]);
    assert.deepEqual(countTicks(6), [0, 2, 4, 6]);
    assert.deepEqual(countTicks(17), [0, 5, 10, 15, 20]);
    assert.deepEqual(countTicks(260), [0, 100, 200, 300]);
  });

  it('are at round times', () => {
    assert.deepEqual(durationTicks(0), [0, 5]);
    assert.deepEqual(durationTicks(140), [0, 30, 60, 90, 120, 150]);
    assert.deepEqual(durationTicks(4_000), [0, 900, 1_800, 2_700, 3_600, 4_500]);
  });

  it('are five steps at most, however much there is', () => {
    for (let most = 0; most < 3_000; most++)
      for (const [ticks, reached] of [
        [countTicks(most), most],
        [durationTicks(most * 100), most * 100],
      ] as const) {
        assert.ok(ticks.length <= 6, `${ticks}`);
        assert.ok((ticks.at(-1) ?? 0) >= reached, `${ticks} do not reach ${reached}`);
      }
  });
});
