import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { retryDelayMs } from './backoff.ts';

const failures = fc.integer({ min: 1, max: 10_000 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay before a delivery is retried', () => {
  it('doubles from one second to thirty', () => {
    const middle = [1, 2, 3, 4, 5, 6, 7, 100].map((count) => retryDelayMs(count, undefined, 0.5));
    assert.deepEqual(middle, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('varies by a fifth either way, so that a crowd does not come back at once', () => {
    assert.deepEqual(
      [0, 0.999_999].map((random) => retryDelayMs(3, undefined, random)),
      [3_200, 4_800],
    );
    fc.assert(
      fc.property(failures, random, (count, random) => {
        const delay = retryDelayMs(count, undefined, random);
        assert.ok(delay >= 800 && delay <= 36_000 && Number.isInteger(delay));
      }),
    );
  });

  it("is the provider's requested delay if that is longer, up to a minute", () => {
    assert.equal(retryDelayMs(1, 20_000, 0.5), 20_000);
    assert.equal(retryDelayMs(1, 3_600_000, 0.5), 60_000);
    assert.equal(retryDelayMs(6, 5_000, 0.5), 30_000);
    fc.assert(
      fc.property(failures, random, fc.integer({ min: 0, max: 10_000_000 }), (count, random, requested) => {
        const delay = retryDelayMs(count, requested, random);
        assert.ok(delay >= retryDelayMs(count, undefined, random) && delay >= Math.min(requested, 60_000));
        assert.ok(delay <= 60_000);
      }),
    );
  });
});
