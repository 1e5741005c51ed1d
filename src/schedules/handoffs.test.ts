import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rhythmOf } from '../../testing/planning/scene.ts';
import { handoffs } from './handoffs.ts';

const ZONES = [
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
];
const at = (text: string) => Temporal.Instant.from(text);

function between(pattern: unknown, zone: string, from: string, to: string): string[] {
  return handoffs(rhythmOf(pattern), zone, at(from), at(to)).map((instant) =>
    instant.toZonedDateTimeISO(zone).toString({ smallestUnit: 'minute', timeZoneName: 'never' }),
  );
}

/** The local wall-clock time of an instant. */
const local = (instant: Temporal.Instant, zone: string) => instant.toZonedDateTimeISO(zone).toPlainDateTime();

describe('hand-offs of a year', () => {
  for (const zone of ZONES) {
    it(`are weekly and daily at 09:00 in ${zone}, without holes`, () => {
      const [from, to] = [at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z')];
      for (const [pattern, days] of [
        [{ every: 'week', handoff: 'Monday 09:00' }, 7],
        [{ every: 'day', handoff: '09:00' }, 1],
        [{ every: '3 days', handoff: '09:00' }, 3],
        [{ rrule: 'FREQ=WEEKLY;BYDAY=MO', handoff: '09:00' }, 7],
      ] as const) {
        const bounds = handoffs(rhythmOf(pattern), zone, from, to);
        assert.ok(Temporal.Instant.compare(bounds[0] ?? to, from) <= 0, 'begins at or before the year');
        assert.ok(Temporal.Instant.compare(bounds.at(-1) ?? from, to) >= 0, 'reaches to its end');
        for (const [index, bound] of bounds.entries()) {
          const time = local(bound, zone);
          assert.equal(time.toPlainTime().toString(), '09:00:00', `${zone} ${time}`);
          if (days === 7) assert.equal(time.dayOfWeek, 1);
          const next = bounds[index + 1];
          if (next) assert.equal(time.toPlainDate().until(local(next, zone).toPlainDate()).days, days);
        }
      }
    });

    it(`are at the right time when the clocks skip or repeat it in ${zone}`, () => {
      for (const handoff of ['01:30', '02:00', '02:15', '02:30', '03:00']) {
        const bounds = handoffs(
          rhythmOf({ every: 'day', handoff }),
          zone,
          at('2026-01-01T00:00:00Z'),
          at('2027-01-01T00:00:00Z'),
        );
        const dates = bounds.map((bound) => local(bound, zone).toPlainDate().toString());
        assert.equal(new Set(dates).size, dates.length, 'one hand-off a day');
        assert.ok(dates.length >= 366);
        for (const bound of bounds) checkLocalTime(bound, handoff, zone);
      }
    });
  }

  it('of 8-hour shifts are at the same three local times every day', () => {
    for (const zone of ZONES) {
      const bounds = handoffs(
        rhythmOf({ every: '8 hours', handoff: '06:00' }),
        zone,
        at('2026-01-01T00:00:00Z'),
        at('2027-01-01T00:00:00Z'),
      );
      for (const bound of bounds) assert.ok([6, 14, 22].includes(local(bound, zone).hour));
      assert.ok(Math.abs(bounds.length - 3 * 365) <= 4);
    }
  });
});

/** The local time. If the clocks skip it, as much later as they jump; if it occurs twice, the first one. */
function checkLocalTime(bound: Temporal.Instant, handoff: string, zone: string): void {
  const wanted = local(bound, zone).toPlainDate().toPlainDateTime(Temporal.PlainTime.from(handoff));
  const exists = wanted.toZonedDateTime(zone).toPlainDateTime().equals(wanted);
  if (exists) assert.ok(local(bound, zone).equals(wanted), `${bound} is not ${handoff} in ${zone}`);
  else assert.ok(Temporal.PlainDateTime.compare(local(bound, zone), wanted) > 0);
  const earlier = bound.subtract({ hours: 1 });
  if (exists) assert.ok(!local(earlier, zone).equals(wanted), 'the first of two');
}

describe('changes of the clocks', () => {
  it('give a week of 167 hours in spring and of 169 in autumn', () => {
    const week = (from: string) => {
      const [first, second] = handoffs(
        rhythmOf({ every: 'week' }),
        'Europe/Paris',
        at(from),
        at(from).add({ hours: 1 }),
      );
      return first && second && first.until(second).total('hours');
    };
    assert.equal(week('2026-03-25T12:00:00Z'), 167);
    assert.equal(week('2026-10-21T12:00:00Z'), 169);
  });

  it('move a skipped 02:30 to 03:30 that day, and use the first of two', () => {
    const pattern = { every: 'day', handoff: '02:30' };
    assert.deepEqual(between(pattern, 'Europe/Paris', '2026-03-28T12:00:00Z', '2026-03-30T00:00:00Z'), [
      '2026-03-28T02:30+01:00',
      '2026-03-29T03:30+02:00',
      '2026-03-30T02:30+02:00',
    ]);
    assert.deepEqual(between(pattern, 'Europe/Paris', '2026-10-24T12:00:00Z', '2026-10-26T00:00:00Z'), [
      '2026-10-24T02:30+02:00',
      '2026-10-25T02:30+02:00',
      '2026-10-26T02:30+01:00',
    ]);
  });

  it('leave out the shift of a skipped hour, and make a repeated hour a shift of two hours', () => {
    const lengths = (day: string) => {
      const [from, to] = [at(`${day}T00:00:00+00:00`), at(`${day}T04:00:00+00:00`)];
      const bounds = handoffs(rhythmOf({ every: 'hour' }), 'Europe/Paris', from, to);
      return bounds.slice(1).map((bound, index) => bounds[index]?.until(bound).total('hours'));
    };
    assert.deepEqual(lengths('2026-03-29'), [1, 1, 1, 1]);
    assert.deepEqual(lengths('2026-10-25'), [2, 1, 1]);
  });

  it('do not affect hours that do not divide the day', () => {
    const bounds = handoffs(
      rhythmOf({ every: '7 hours', handoff: '09:00' }),
      'Europe/Paris',
      at('2026-03-27T00:00:00Z'),
      at('2026-03-31T00:00:00Z'),
    );
    for (const [index, bound] of bounds.slice(1).entries())
      assert.equal(bounds[index]?.until(bound).total('hours'), 7);
  });
});

describe('any pattern, zone and range', () => {
  const pattern = fc.oneof(
    fc.record({
      every: fc.constantFrom(
        'day',
        '2 days',
        '5 days',
        '1 hour',
        '4 hours',
        '12 hours',
        '36 hours',
        '48 hours',
      ),
      handoff: fc.constantFrom('00:00', '02:30', '09:00', '23:45'),
    }),
    fc.record({
      every: fc.constantFrom('week', '2 weeks', '5 weeks'),
      handoff: fc.constantFrom('Monday 09:00', 'Sunday 02:30', 'Wed 00:00'),
    }),
    fc.record({
      rrule: fc.constantFrom(
        'FREQ=WEEKLY;BYDAY=MO,TH',
        'FREQ=MONTHLY;BYMONTHDAY=-1',
        'FREQ=DAILY;INTERVAL=11',
        'FREQ=MONTHLY;INTERVAL=5;BYDAY=2TU',
        'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
      ),
      handoff: fc.constantFrom('02:30', '17:00'),
    }),
  );
  const moment = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2030, 0) });

  it('gives ascending bounds that enclose the range and do not depend on the start', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.constantFrom(...ZONES),
        moment,
        fc.integer({ min: 1, max: 90 }),
        (written, zone, start, days) => {
          const rhythm = rhythmOf(written);
          const from = Temporal.Instant.fromEpochMilliseconds(start);
          const to = from.add({ hours: days * 24 });
          const bounds = handoffs(rhythm, zone, from, to).map((bound) => bound.epochMilliseconds);
          const [first, last] = [bounds[0] ?? Number.NaN, bounds.at(-1) ?? Number.NaN];
          assert.ok(first <= from.epochMilliseconds && last >= to.epochMilliseconds);
          assert.ok(
            (bounds[1] ?? Number.NaN) > from.epochMilliseconds &&
              (bounds.at(-2) ?? Number.NaN) < to.epochMilliseconds,
          );
          for (const [index, bound] of bounds.slice(1).entries()) assert.ok(bound > (bounds[index] ?? bound));
          const middle = from.add({ hours: days * 12 });
          const again = [...handoffs(rhythm, zone, from, middle), ...handoffs(rhythm, zone, middle, to)];
          assert.deepEqual(
            [...new Set(again.map((bound) => bound.epochMilliseconds))].sort((a, b) => a - b),
            bounds,
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
