import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountOf, amountText, digitsOf, isCurrency, priceOf, rateOf } from './money.ts';

const HOUR = 3_600_000;

describe('money', () => {
  it('is priced exactly, and half a cent is rounded up', () => {
    for (const [rate, ms, digits, amount] of [
      ['12.50', HOUR, 2, '12.50'],
      ['0.01', HOUR / 2, 2, '0.01'],
      ['0.01', HOUR / 2 - 1, 2, '0.00'],
      ['0.1', 3 * HOUR, 2, '0.30'],
      ['2.3456', 10 * HOUR, 2, '23.46'],
      ['1500', HOUR / 3, 0, '500'],
      ['1.5', HOUR, 3, '1.500'],
      ['999999.9999', 92 * 24 * HOUR, 2, '2207999999.78'],
    ] as const)
      assert.equal(amountText(priceOf(rateOf(rate), ms, digits), digits), amount, `${rate} for ${ms}`);
  });

  it('has the decimals of its currency', () => {
    assert.deepEqual(['EUR', 'JPY', 'KWD'].map(digitsOf), [2, 0, 3]);
    assert.deepEqual(['EUR', 'XQQ', 'eur'].map(isCurrency), [true, false, false]);
  });

  it('is written and read again without loss, including negative amounts', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: 0, max: 4 }),
        (amount, digits) => {
          assert.equal(amountOf(amountText(amount, digits)), amount);
        },
      ),
    );
    assert.deepEqual([amountText(-5n, 2), amountText(-5n, 0), amountText(0n, 3)], ['-0.05', '-5', '0.000']);
  });

  it('is off by at most half of the smallest unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.nat(92 * 24 * HOUR), (rate, ms) => {
        const exact = rate * BigInt(ms) * 100n;
        const rounded = priceOf(rate, ms, 2) * 10_000n * BigInt(HOUR);
        const off = exact > rounded ? exact - rounded : rounded - exact;
        assert.ok(2n * off <= 10_000n * BigInt(HOUR));
      }),
    );
  });
});
