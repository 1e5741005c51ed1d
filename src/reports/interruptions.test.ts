import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sleepsAt, USUAL_SLEEP } from '../people/persons/sleep.ts';
import { type Asking, interruptedHours, sleepers } from './interruptions.ts';

const ZONES = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca'];
const YEAR = { from: Temporal.Instant.from('2026-01-01T00:00Z').epochMilliseconds, to: 0 };
YEAR.to = Temporal.Instant.from('2027-01-01T00:00Z').epochMilliseconds;
const person = (timeZone: string) => ({ id: 'ada', timeZone, sleep: null });
const asking = (at: string, urgency: Asking['urgency'] = 'high'): Asking => ({
  ...{ userId: 'ada', urgency },
  at: Temporal.Instant.from(at).epochMilliseconds,
});

describe('interruptions', () => {
  it('are counted by everybody’s local time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.array(fc.integer({ min: YEAR.from, max: YEAR.to - 1 }), { maxLength: 30 }),
        (timeZone, times) => {
          const read = sleepers([person(timeZone)], YEAR);
          const naive = new Map<string, { weekday: number; hour: number; asleep: boolean }>();
          for (const at of times) {
            const instant = Temporal.Instant.fromEpochMilliseconds(at);
            const local = instant.toZonedDateTimeISO(timeZone);
            const key = local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).toString();
            const asleep = sleepsAt(instant, timeZone, USUAL_SLEEP) || (naive.get(key)?.asleep ?? false);
            naive.set(key, { weekday: local.dayOfWeek - 1, hour: local.hour, asleep });
          }
          const askings = times.map((at) => ({ userId: 'ada', at, urgency: 'medium' as const }));
          const hours = interruptedHours(askings, read).map(({ userId: _, ...hour }) => hour);
          assert.deepEqual(hours, [...naive.values()]);
        },
      ),
    );
  });

  it('count an hour once, however many notifications it had, and ignore pages of low urgency', () => {
    const read = sleepers([person('UTC')], YEAR);
    const askings = [
      asking('2026-11-20T02:00:00Z'),
      asking('2026-11-20T02:59:59.999Z', 'medium'),
      asking('2026-11-20T03:00:00Z', 'low'),
      asking('2026-11-20T12:00:00Z'),
    ];
    assert.deepEqual(
      interruptedHours(askings, read).map(({ weekday, hour, asleep }) => [weekday, hour, asleep]),
      [
        [4, 2, true],
        [4, 12, false],
      ],
    );
  });

  it('count both hours when the clock is put back', () => {
    const read = sleepers([person('Europe/Berlin')], YEAR);
    const askings = [asking('2026-10-25T00:30:00Z'), asking('2026-10-25T01:30:00Z')];
    assert.deepEqual(
      interruptedHours(askings, read).map(({ weekday, hour }) => [weekday, hour]),
      [
        [6, 2],
        [6, 2],
      ],
    );
  });
});
