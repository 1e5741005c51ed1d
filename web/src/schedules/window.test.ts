import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { zoneOf } from '../kit/zones.ts';
import { dayLength, daysOf, placeIn, snap, ticksOf, windowName, windowOf } from './window.ts';

const HOUR = 3_600_000;
const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const localOf = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' });

/** Berlin goes to summer time on 28 March 2027 at 02:00 and back on 31 October at 03:00; Havana and Beirut change at midnight. */
const DAYS = {
  short: '2027-03-28T12:00[Europe/Berlin]',
  long: '2027-10-31T12:00[Europe/Berlin]',
  plain: '2027-06-15T12:00[Europe/Berlin]',
  midnightSkipped: '2027-03-14T12:00[America/Havana]',
  midnightTwice: '2027-11-07T12:00[America/Havana]',
  halfAnHour: '2027-10-03T12:00[Australia/Lord_Howe]',
};

function day(name: keyof typeof DAYS) {
  const zone = zoneOf(DAYS[name].replace(/.*\[|\]/g, ''));
  const noon = at(DAYS[name]);
  return { zone, noon, span: windowOf('day', noon, zone) };
}

describe('ticks of the day view', () => {
  it('are at their local hours on a day of 23 hours', () => {
    const { zone, noon, span } = day('short');
    assert.equal(span.to - span.from, 23 * HOUR);
    const ticks = ticksOf('day', span, zone, noon);
    assert.deepEqual(
      ticks.map((tick) => [localOf(tick.at, zone.name), Math.round(placeIn(span, tick.at) * 23)]),
      [
        ['00:00', 0],
        ['03:00', 2],
        ['06:00', 5],
        ['09:00', 8],
        ['12:00', 11],
        ['15:00', 14],
        ['18:00', 17],
        ['21:00', 20],
      ],
    );
  });

  it('are at their local hours on a day of 25 hours', () => {
    const { zone, noon, span } = day('long');
    const ticks = ticksOf('day', span, zone, noon);
    assert.deepEqual(
      ticks.map((tick) => Math.round(placeIn(span, tick.at) * 25)),
      [0, 4, 7, 10, 13, 16, 19, 22],
    );
  });

  it('leave out an hour that the clocks skip, and show a repeated hour once', () => {
    const skipped = day('midnightSkipped');
    assert.equal(localOf(skipped.span.from, 'America/Havana'), '01:00');
    assert.equal(localOf(skipped.span.to, 'America/Havana'), '00:00');
    assert.deepEqual(
      ticksOf('day', skipped.span, skipped.zone, skipped.noon).map((tick) =>
        localOf(tick.at, 'America/Havana'),
      ),
      ['03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    );
    const twice = day('midnightTwice');
    assert.equal(twice.span.to - twice.span.from, 25 * HOUR);
    assert.equal(ticksOf('day', twice.span, twice.zone, twice.noon)[0]?.at, twice.span.from);
  });

  it('never show anything but full hours, on any day in any zone', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'America/Havana',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Cairo',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at('2026-01-01T00:00[UTC]'), max: at('2030-01-01T00:00[UTC]') }),
        (name, now) => {
          const zone = zoneOf(name);
          const span = windowOf('day', now, zone);
          assert.ok(span.from <= now && now < span.to);
          const ticks = ticksOf('day', span, zone, now);
          assert.ok(ticks.length >= 7);
          for (const tick of ticks) {
            assert.match(localOf(tick.at, name), /^(00|03|06|09|12|15|18|21):00$/);
            assert.ok(span.from <= tick.at && tick.at < span.to);
          }
        },
      ),
    );
  });
});

describe('longer windows', () => {
  it('begin each day at its first instant, even in a week with a clock change', () => {
    for (const name of Object.keys(DAYS) as (keyof typeof DAYS)[]) {
      const { zone, noon } = day(name);
      for (const view of ['week', 'weeks', 'month'] as const) {
        const span = windowOf(view, noon, zone);
        assert.equal(span.to, zone.startOfDay(span.to));
        for (const start of daysOf(span, zone)) assert.equal(start, zone.startOfDay(start));
        assert.equal(daysOf(span, zone).length % 7, 0);
      }
    }
  });

  it('have columns that together are as long as the week', () => {
    const { zone, noon } = day('short');
    const week = windowOf('week', noon, zone);
    const lengths = daysOf(week, zone).map((start) => dayLength(start, zone));
    assert.deepEqual(
      lengths.map((length) => length / HOUR),
      [24, 24, 24, 24, 24, 24, 23],
    );
    assert.equal(
      lengths.reduce((sum, length) => sum + length, 0),
      week.to - week.from,
    );
  });

  it('show in the title that a day is not 24 hours long', () => {
    const names = (['short', 'long', 'plain', 'halfAnHour'] as const).map((name) => {
      const { zone, noon, span } = day(name);
      return windowName('day', noon, span, zone).split(' · ')[1] ?? null;
    });
    assert.deepEqual(names, ['23 hours', '25 hours', null, '23.5 hours']);
  });
});

describe('a marked time', () => {
  it('ends at local hours and quarters, even after a change of half an hour', () => {
    const { zone } = day('halfAnHour');
    const ten = at('2027-10-03T10:00[Australia/Lord_Howe]');
    assert.equal(snap('week', ten + 12 * 60_000, zone), ten);
    assert.equal(snap('day', ten + 6 * 60_000, zone), ten);
    assert.equal(snap('day', ten + 8 * 60_000, zone), ten + 15 * 60_000);
    assert.equal(snap('weeks', ten, zone), zone.startOfDay(ten));
  });
});
