import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTry, type Tally, waitAfter } from './attempts.ts';

const START = Temporal.Instant.from('2026-11-20T00:00:00Z');
const FRESH: Tally = { failures: 0, lastAt: START, blockedUntil: null };

describe('attempts to sign in', () => {
  it('cause no delay at first, then longer ones, and never more than five minutes', () => {
    assert.deepEqual(
      [1, 4, 5, 6, 7, 9, 10, 1_000].map((failures) => waitAfter(failures, 5)),
      [0, 0, 15, 30, 60, 240, 300, 300],
    );
  });

  it('are forgiven after a quiet hour', () => {
    const tired: Tally = { failures: 50, lastAt: START, blockedUntil: START.add({ minutes: 5 }) };
    assert.deepEqual(countTry(tired, 5, START.add({ minutes: 1 })), { waitSeconds: 240 });
    const soon = countTry(tired, 5, START.add({ minutes: 5 }));
    assert.equal('tally' in soon && soon.tally.failures, 51);
    const later = countTry(tired, 5, START.add({ minutes: 60 }));
    assert.equal('tally' in later && later.tally.failures, 1);
  });

  it('let a guesser try only a few times an hour, however they are timed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 400 }), (pauses) => {
        let tally = FRESH;
        let now = START;
        let through = 0;
        for (const seconds of pauses) {
          now = now.add({ seconds });
          if (Temporal.Instant.compare(now, START.add({ hours: 1 })) >= 0) break;
          const result = countTry(tally, 5, now);
          if ('waitSeconds' in result) continue;
          tally = result.tally;
          through++;
        }
        assert.ok(through <= 22, `${through} tries in an hour`);
      }),
    );
  });
});
