import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../kit/fault.ts';
import { createBudgets, type Rate } from './budget.ts';

/** Budgets with a clock in milliseconds that the test moves. */
function budgets(rate: Rate) {
  let now = 0;
  const { spend } = createBudgets(rate, () => now);
  return {
    at(ms: number) {
      now = ms;
    },
    /** Null if a request is allowed, otherwise the seconds to wait. */
    spend(credential = 'api_key_1', purpose: 'pages' | 'other' = 'other'): number | null {
      try {
        spend(credential, purpose);
        return null;
      } catch (error) {
        assert.ok(error instanceof Fault && error.status === 429);
        return Number(error.headers['retry-after']);
      }
    },
  };
}

const spent = (times: number, budget: ReturnType<typeof budgets>, ...who: [string?, ('pages' | 'other')?]) =>
  Array.from({ length: times }, () => budget.spend(...who)).filter((wait) => wait === null).length;

describe('a budget', () => {
  it('allows a burst, and then a fixed number per second', () => {
    const budget = budgets({ perSecond: 10, burst: 50 });
    assert.equal(spent(60, budget), 50);
    budget.at(1_000);
    assert.equal(spent(60, budget), 10);
    budget.at(100_000);
    assert.equal(spent(60, budget), 50, 'never more than the burst');
  });

  it('exists for each key, and once more for its pages', () => {
    const budget = budgets({ perSecond: 1, burst: 5 });
    assert.equal(spent(9, budget, 'api_key_1', 'other'), 5);
    assert.equal(spent(9, budget, 'api_key_1', 'pages'), 5, 'moments never use up a page');
    assert.equal(spent(9, budget, 'api_key_2', 'other'), 5);
  });

  it('returns the time after which the next request is allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 100 }),
        (perSecond, burst) => {
          const budget = budgets({ perSecond, burst });
          spent(burst, budget);
          const wait = budget.spend();
          assert.ok(wait !== null && wait >= 1);
          budget.at(wait * 1_000);
          assert.equal(budget.spend(), null);
        },
      ),
    );
  });

  it('never allows more than the burst and the refill since, over any time', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        pauses,
        (perSecond, burst, waits) => {
          const budget = budgets({ perSecond, burst });
          const granted: number[] = [];
          let now = 0;
          for (const wait of waits) {
            now += wait;
            budget.at(now);
            if (budget.spend() === null) granted.push(now);
          }
          for (const [first, from] of granted.entries())
            for (const [last, to] of granted.entries())
              if (last >= first)
                assert.ok(last - first + 1 <= burst + ((to - from) / 1_000) * perSecond + 1e-6, `${granted}`);
        },
      ),
    );
  });

  it('describes the refusal in words', () => {
    const { spend } = createBudgets({ perSecond: 2, burst: 1 }, () => 0);
    spend('api_key_1', 'pages');
    assert.throws(() => spend('api_key_1', 'pages'), {
      message: 'rate limit is used up: one key may send 2 requests a second and 1 at once; try again in 1 s.',
    });
  });
});
