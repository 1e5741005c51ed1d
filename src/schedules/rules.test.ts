import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { presentShares, shareAt, sharesAfter, USUAL_RULES } from './rules.ts';

const DAY = 86_400_000;
/** Changes to the shares of three people, in order of time. */
const changes = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 300 }),
    wanted: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 100 })),
  }),
  { maxLength: 12 },
);

describe('shares of people', () => {
  it('are those of the last change, and expectations for earlier times do not change', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let shares = USUAL_RULES.shares;
        let at = 0;
        for (const { after, wanted } of steps) {
          at += after * DAY;
          const before = shares;
          shares = sharesAfter(before, new Map(Object.entries(wanted)), at);
          for (const person of ['a', 'b', 'c']) {
            const now = shares[person];
            assert.equal(shareAt(now, at), wanted[person] ?? 100);
            for (const days of [1, 30, 200, 366]) {
              const then = at - days * DAY;
              assert.equal(shareAt(now, then), shareAt(before[person], then), `${days} days before`);
            }
          }
          const parts = Object.entries(wanted).filter(([, percent]) => percent !== 100);
          assert.deepEqual([...presentShares({ ...USUAL_RULES, shares })].sort(), parts.sort());
        }
      }),
    );
  });

  it('do not grow without bound, and do not change when they are equal', () => {
    let shares = sharesAfter({}, new Map([['a', 60]]), 0);
    assert.deepEqual(sharesAfter(shares, new Map([['a', 60]]), DAY), shares);
    for (let day = 1; day <= 2_000; day++)
      shares = sharesAfter(shares, new Map([['a', 1 + (day % 99)]]), day * DAY);
    assert.ok((shares.a?.length ?? 0) <= 402, String(shares.a?.length));
    shares = sharesAfter(shares, new Map(), 2_001 * DAY);
    shares = sharesAfter(shares, new Map(), 3_000 * DAY);
    assert.deepEqual(shares, {});
  });
});
