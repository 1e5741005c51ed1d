import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SourceHours } from './contract.ts';
import { hoursBeginAt } from './hours.ts';

type Range = SourceHours['weekly'][number];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WORKDAYS = [1, 2, 3, 4, 5];

function begin(zone: string, weekly: Range[], at: string): string | null {
  return hoursBeginAt({ zone, weekly, outside: 'hold' }, Temporal.Instant.from(at))?.toString() ?? null;
}

describe('The hours of a source', () => {
  // 2 March 2026 is a Monday.
  const office = [{ days: WORKDAYS, from: '08:00', to: '18:00' }];

  it('begin next on the same day, the next day, or after the weekend', () => {
    assert.equal(begin('UTC', office, '2026-03-02T07:59:59.999Z'), '2026-03-02T08:00:00Z');
    assert.equal(begin('UTC', office, '2026-03-02T08:00:00Z'), null);
    assert.equal(begin('UTC', office, '2026-03-02T17:59:59.999Z'), null);
    assert.equal(begin('UTC', office, '2026-03-02T18:00:00Z'), '2026-03-03T08:00:00Z');
    assert.equal(begin('UTC', office, '2026-03-06T18:00:00Z'), '2026-03-09T08:00:00Z');
    assert.equal(begin('Europe/Berlin', office, '2026-03-02T06:00:00Z'), '2026-03-02T07:00:00Z');
  });

  it('cross midnight when their end is before their start', () => {
    const nights = [{ days: [1], from: '22:00', to: '06:00' }];
    assert.equal(begin('UTC', nights, '2026-03-02T05:00:00Z'), '2026-03-02T22:00:00Z');
    assert.equal(begin('UTC', nights, '2026-03-03T05:59:00Z'), null);
    assert.equal(begin('UTC', nights, '2026-03-03T06:00:00Z'), '2026-03-09T22:00:00Z');
  });

  it('last until the end of the day with 24:00', () => {
    const days = [{ days: [1, 2], from: '00:00', to: '24:00' }];
    assert.equal(begin('UTC', days, '2026-03-02T23:59:59.999Z'), null);
    assert.equal(begin('UTC', days, '2026-03-04T00:00:00Z'), '2026-03-09T00:00:00Z');
    assert.equal(
      begin('UTC', [{ days: EVERY_DAY, from: '00:00', to: '24:00' }], '2026-03-04T00:00:00Z'),
      null,
    );
  });

  it('follow the local clock through summer time', () => {
    // Germany: forward on 29 March 2026 at 02:00, back on 25 October at 03:00.
    const early = [{ days: EVERY_DAY, from: '08:00', to: '09:00' }];
    assert.equal(begin('Europe/Berlin', early, '2026-03-28T08:00:00Z'), '2026-03-29T06:00:00Z');
    assert.equal(begin('Europe/Berlin', early, '2026-10-24T07:00:00Z'), '2026-10-25T07:00:00Z');
    const skipped = [{ days: [7], from: '02:00', to: '03:00' }];
    assert.equal(begin('Europe/Berlin', skipped, '2026-03-23T00:00:00Z'), '2026-04-05T00:00:00Z');
  });

  it('begin at an instant from which the source pages, and at no earlier one', () => {
    const time = (hour: number, minute: number) =>
      `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    const range = fc
      .record({
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        from: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })),
        minutes: fc.integer({ min: 121, max: 1_439 }),
      })
      .map(({ days, from: [hour, minute], minutes }) => {
        const end = (hour * 60 + minute + minutes) % 1_440;
        return { days, from: time(hour, minute), to: time(Math.floor(end / 60), end % 60) };
      });
    fc.assert(
      fc.property(
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'),
        fc.array(range, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 2 * 366 * 24 * 60 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (zone, weekly, minute, share) => {
          const hours: SourceHours = { zone, weekly, outside: 'hold' };
          const at = Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: minute });
          const next = hoursBeginAt(hours, at);
          if (next === null) return;
          assert.ok(Temporal.Instant.compare(next, at) > 0);
          assert.equal(hoursBeginAt(hours, next), null);
          const between = at.add({
            milliseconds: Math.floor((next.epochMilliseconds - at.epochMilliseconds) * share),
          });
          assert.equal(hoursBeginAt(hours, between)?.toString(), next.toString());
        },
      ),
    );
  });
});
