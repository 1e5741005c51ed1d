import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { unhurried } from '../kit/unhurried.ts';
import { gini, median, percentile } from './figures.ts';
import { type PageFacts, responsesOf } from './responses.ts';

const period = {
  from: Temporal.Instant.from('2026-03-01T00:00Z'),
  to: Temporal.Instant.from('2026-04-20T00:00Z'),
};
const [first, last] = [period.from.epochMilliseconds, period.to.epochMilliseconds - 1];

const page = fc.record({
  at: fc.integer({ min: first, max: last }),
  urgency: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
  after: fc.option(fc.integer({ min: 0, max: 86_400 })),
  expired: fc.boolean(),
});

describe('answers to pages', () => {
  it('are counted by local weeks, including those in which the clocks change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { maxLength: 60 }),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
        async (raw, timeZone) => {
          const pages: PageFacts[] = raw.map(({ after, ...rest }) => ({
            ...rest,
            acknowledgedAt: after === null ? null : rest.at + after * 1_000,
          }));
          const { total, weeks } = await unhurried(responsesOf(pages, period, timeZone));
          const mondayOf = (at: number) => {
            const date = Temporal.Instant.fromEpochMilliseconds(at)
              .toZonedDateTimeISO(timeZone)
              .toPlainDate();
            return date.subtract({ days: date.dayOfWeek - 1 }).toString();
          };
          for (const { week, pages: counts, acknowledged, median_seconds } of weeks) {
            const own = raw.filter(({ at }) => mondayOf(at) === week);
            for (const urgency of ['low', 'medium', 'high'] as const)
              assert.equal(counts[urgency], own.filter((one) => one.urgency === urgency).length);
            const times = own.flatMap(({ after }) => (after === null ? [] : [after]));
            assert.equal(acknowledged, times.length);
            assert.equal(median_seconds, times.length === 0 ? null : Math.round(median(times) ?? 0));
          }
          const sum = weeks.reduce((all, { pages: p }) => all + p.low + p.medium + p.high, 0);
          assert.equal(sum, raw.length);
          assert.equal(total.expired, raw.filter(({ expired }) => expired).length);
        },
      ),
    );
  });

  it('include weeks without pages', async () => {
    const { weeks } = await unhurried(responsesOf([], period, 'Europe/Berlin'));
    assert.deepEqual(
      weeks.map(({ week }) => week),
      [
        '2026-02-23',
        '2026-03-02',
        '2026-03-09',
        '2026-03-16',
        '2026-03-23',
        '2026-03-30',
        '2026-04-06',
        '2026-04-13',
        '2026-04-20',
      ],
    );
    assert.ok(
      weeks.every(({ median_seconds, acknowledged }) => median_seconds === null && acknowledged === 0),
    );
  });
});

describe('figures', () => {
  it('are among their values', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 });
    fc.assert(
      fc.property(values, (all) => {
        const middle = median(all) ?? Number.NaN;
        const half = all.length / 2;
        assert.ok(all.filter((value) => value < middle).length <= half);
        assert.ok(all.filter((value) => value > middle).length <= half);
        const high = percentile(all, 0.95) ?? Number.NaN;
        assert.ok(all.includes(high));
        assert.ok(all.filter((value) => value <= high).length >= all.length * 0.95);
        assert.ok(all.filter((value) => value < high).length < all.length * 0.95);
      }),
    );
    assert.deepEqual([median([]), percentile([], 0.95)], [null, null]);
  });

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
