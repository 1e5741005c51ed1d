import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePattern, storedPattern } from './pattern.ts';
import { patternText } from './pattern-words.ts';

function accepted(value: unknown) {
  const parsed = parsePattern(value);
  assert.ok('pattern' in parsed, JSON.stringify(parsed));
  return parsed.pattern;
}

function refused(value: unknown): Record<string, string> {
  const parsed = parsePattern(value);
  assert.ok('problems' in parsed, JSON.stringify(parsed));
  return Object.fromEntries(parsed.problems.map(({ field, message }) => [field, message]));
}

describe('patterns that an author may write', () => {
  for (const [written, kept] of [
    [
      { every: 'week', handoff: 'Monday 09:00' },
      { every: 'week', handoff: 'Monday 09:00' },
    ],
    [
      { every: '1 Week', handoff: 'fri 9:30' },
      { every: 'week', handoff: 'Friday 09:30' },
    ],
    [
      { every: '2 weeks', handoff: 'Tue 00:00', starts_on: '2026-11-03' },
      { every: '2 weeks', handoff: 'Tuesday 00:00', starts_on: '2026-11-03' },
    ],
    [
      { every: 'day', handoff: '09:00' },
      { every: 'day', handoff: '09:00' },
    ],
    [{ every: 'day' }, { every: 'day', handoff: '09:00' }],
    [{ every: '12 hours' }, { every: '12 hours', handoff: '00:00' }],
    [{ every: 'week' }, { every: 'week', handoff: 'Monday 09:00' }],
    [
      { rrule: 'RRULE:freq=weekly;byday=MO,TH', handoff: '09:00' },
      { rrule: 'FREQ=WEEKLY;BYDAY=MO,TH', handoff: '09:00' },
    ],
    [
      { every: 'FREQ=MONTHLY;BYDAY=1MO,-1FR', handoff: '09:00' },
      { rrule: 'FREQ=MONTHLY;BYDAY=1MO,-1FR', handoff: '09:00' },
    ],
    [
      { rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,15;INTERVAL=1' },
      { rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,15', handoff: '09:00' },
    ],
  ] as const) {
    it(`${JSON.stringify(written)} is stored as ${JSON.stringify(kept)}`, () => {
      assert.deepEqual(accepted(written), kept);
      assert.deepEqual(storedPattern(kept).pattern, kept, 'what is kept can be read again');
    });
  }

  it('are described in words', () => {
    assert.equal(patternText(accepted({ every: 'week' })), 'every week, hand-off Monday 09:00');
    assert.equal(
      patternText(accepted({ rrule: 'FREQ=DAILY;INTERVAL=3', starts_on: '2026-01-02' })),
      'every 3 days, hand-off 09:00, counted from 2026-01-02',
    );
  });
});

describe('patterns that are refused, each problem with its key', () => {
  for (const [value, problems] of [
    ['weekly', { '': /must be an object/ }],
    [null, { '': /must be an object/ }],
    [{}, { every: /is missing; give day, week/ }],
    [{ every: 'fortnight' }, { every: /is "fortnight"; give day, week/ }],
    [{ every: 7 }, { every: /is 7/ }],
    [{ every: '0 hours' }, { every: /is "0 hours"/ }],
    [{ every: '9000 hours' }, { every: /is "9000 hours"/ }],
    [{ every: 'week', handoff: '09:00' }, { handoff: /names no weekday; give "Monday 09:00"/ }],
    [{ every: 'day', handoff: 'Monday 09:00' }, { handoff: /names a weekday/ }],
    [{ every: 'week', handoff: 'Funday 09:00' }, { handoff: /"Funday 09:00"; give a local time/ }],
    [{ every: 'day', handoff: '24:00' }, { handoff: /"24:00"; give a local time such as "09:00"/ }],
    [{ every: 'day', handoff: 540 }, { handoff: /is 540/ }],
    [
      { every: 'week', handof: 'Monday 09:00', weekdays: 1 },
      { handof: /is not a known key; the keys are every/, weekdays: /not a known key/ },
    ],
    [{ every: 'week', rrule: 'FREQ=DAILY' }, { rrule: /cannot be combined with every/ }],
    [
      { every: 'year', handoff: 'noon', starts_on: 'today' },
      { every: /year/, handoff: /noon/, starts_on: /today/ },
    ],
    [{ every: 'day', starts_on: '2026-02-30' }, { starts_on: /2026-02-30/ }],
    [{ rrule: 5 }, { rrule: /must be a text/ }],
    [{ rrule: 'FREQ=YEARLY' }, { rrule: /has no supported FREQ; give FREQ=DAILY/ }],
    [{ rrule: 'FREQ=WEEKLY;COUNT=3' }, { rrule: /shifts have no end/ }],
    [{ rrule: 'FREQ=DAILY;BYHOUR=9' }, { rrule: /"handoff" instead/ }],
    [{ rrule: 'FREQ=WEEKLY;BYDAY=1MO' }, { rrule: /1MO needs FREQ=MONTHLY/ }],
    [{ rrule: 'FREQ=MONTHLY;BYMONTHDAY=32' }, { rrule: /BYMONTHDAY/ }],
    [{ rrule: 'FREQ=DAILY;INTERVAL=0' }, { rrule: /INTERVAL/ }],
    [{ rrule: 'FREQ=DAILY;FREQ=WEEKLY' }, { rrule: /FREQ twice/ }],
    [{ rrule: 'FREQ=DAILY;;X' }, { rrule: /write NAME=VALUE/ }],
    [{ rrule: 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31', starts_on: '2026-02-01' }, { rrule: /never occurs/ }],
  ] as const) {
    it(JSON.stringify(value), () => {
      const found = refused(value);
      assert.deepEqual(Object.keys(found).sort(), Object.keys(problems).sort());
      for (const [field, pattern] of Object.entries(problems)) assert.match(found[field] ?? '', pattern);
    });
  }
});
