import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { within } from '../kit/interval.ts';
import { parsePattern, storedPattern, type Version } from './pattern.ts';
import { timetable, windowsBetween } from './timetable.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'];
const HOURS = [
  undefined,
  [{ days: ['mon-fri'], from: '09:00', to: '17:00' }],
  [{ from: '22:00', to: '06:00' }],
  [
    { days: ['mon-fri'], from: '12:00', to: '24:00' },
    { days: ['sun'], from: '17:00', to: '16:00' },
  ],
];
const BEGIN = Temporal.Instant.from('2026-11-15T00:00:00Z');

const shifts = fc
  .tuple(fc.constantFrom('09:00', '23:30'), fc.constantFrom(...HOURS), fc.boolean())
  .map(([time, hours, isDaily]) => ({
    ...(isDaily ? { every: 'day', handoff: time } : { every: 'week', handoff: `Monday ${time}` }),
    ...(hours ? { hours } : {}),
  }));
const date = fc.integer({ min: 0, max: 90 }).map((days) => `${dayOf(BEGIN).add({ days })}`);
const patterns = fc
  .record({ shifts, from: date, change: fc.tuple(date, shifts) }, { requiredKeys: ['shifts'] })
  .map(({ shifts: own, from, change }) => ({
    ...own,
    ...(from ? { from } : {}),
    // The later pattern that replaces it.
    ...(change
      ? { changes: [{ from: `${Temporal.PlainDate.from(change[0]).add({ days: 91 })}`, ...change[1] }] }
      : {}),
  }));

it("the windows of a time are the timetable's windows in that time", () => {
  fc.assert(
    fc.property(
      patterns,
      fc.constantFrom(...ZONES),
      fc.uniqueArray(date, { maxLength: 5 }),
      fc.integer({ min: 0, max: 250_000 }),
      fc.integer({ min: 1, max: 60_000 }),
      (pattern, timeZone, uncovered, minutes, length) => {
        const from = BEGIN.add({ minutes });
        const to = from.add({ minutes: length });
        const range = { from: from.epochMilliseconds, to: to.epochMilliseconds };
        const [versions, days] = [versionsOf(pattern), new Set(uncovered)];
        const { windows } = timetable(versions, timeZone, days, from, to);
        const all = windows && within(windows, range);
        assert.deepEqual(windowsBetween(versions, timeZone, days, from, to), all);
      },
    ),
    { numRuns: 100 },
  );
});

function versionsOf(shape: unknown): readonly Version[] {
  const parsed = parsePattern(shape);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return storedPattern(parsed.pattern).versions;
}

function dayOf(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO('UTC').toPlainDate();
}
