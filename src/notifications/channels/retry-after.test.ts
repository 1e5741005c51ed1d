import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseRetryAfter } from './retry-after.ts';

const now = Temporal.Instant.from('2026-11-20T03:00:00Z');

describe('parseRetryAfter', () => {
  const cases: [value: string | string[] | undefined, ms: number | undefined][] = [
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    [['7', '9'], 7_000],
    ['Fri, 20 Nov 2026 03:00:30 GMT', 30_000],
    ['3600000', 86_400_000],
    ['99999999999999999999999', 86_400_000],
    ['Fri, 20 Nov 2026 02:59:59 GMT', undefined],
    ['-1', undefined],
    ['-0.5', undefined],
    ['1e9', undefined],
    ['0x10', undefined],
    ['soon', undefined],
    ['soon 5', undefined],
    ['NaN', undefined],
    ['2026-11-20T03:00:30Z', undefined],
    ['Fri, 99 Nov 2026 03:00:30 GMT', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, ms] of cases) {
    it(`${JSON.stringify(value)} is ${ms} ms`, () => assert.equal(parseRetryAfter(value, now), ms));
  }

  it('is never negative, fractional or more than a day', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = parseRetryAfter(value, now);
        return ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms <= 86_400_000);
      }),
    );
  });
});
