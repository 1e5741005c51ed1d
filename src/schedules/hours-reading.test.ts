import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePattern } from './pattern.ts';
import { patternText } from './pattern-words.ts';

function refused(value: unknown): Record<string, string> {
  const parsed = parsePattern(value);
  assert.ok('problems' in parsed, JSON.stringify(parsed));
  return Object.fromEntries(parsed.problems.map(({ field, message }) => [field, message]));
}

function accepted(value: unknown) {
  const parsed = parsePattern(value);
  assert.ok('pattern' in parsed, JSON.stringify(parsed));
  assert.deepEqual(parsePattern(parsed.pattern), parsed, 'what is kept is read the same');
  return parsed.pattern;
}

describe('hours of the week in a definition', () => {
  it('are stored in one spelling, and shifts change hands where they begin', () => {
    const pattern = accepted({
      every: 'week',
      hours: [{ days: ['Mon-Wed', 'friday'], from: '9:00', to: '17:00' }],
    });
    assert.deepEqual(pattern, {
      ...{ every: 'week', handoff: 'Monday 09:00' },
      hours: [{ days: ['mon', 'tue', 'wed', 'fri'], from: '09:00', to: '17:00' }],
    });
    assert.equal(
      patternText(pattern),
      'every week, hand-off Monday 09:00, Mon, Tue, Wed, Fri 09:00–17:00 only',
    );
  });

  it('may be every day, and may continue after midnight and after the end of the week', () => {
    const { hours } = accepted({
      every: 'day',
      hours: [
        { from: '20:00', to: '08:00' },
        { days: 'sat-mon', from: '00:00', to: '24:00' },
      ],
    });
    assert.deepEqual(
      hours?.map(({ days }) => days.length),
      [7, 3],
    );
  });

  it('are refused with all wrong fields at once', () => {
    const problems = refused({
      every: 'day',
      hours: [
        { days: ['mon', 'noday'], from: '25:00', to: '17:00' },
        { from: '09:00', to: '09:00', at: 1 },
        'always',
        { from: '09:00' },
      ],
    });
    assert.deepEqual(Object.keys(problems).sort(), [
      ...['hours[0].days', 'hours[0].from', 'hours[1].at', 'hours[1].to', 'hours[2]', 'hours[3].to'],
    ]);
    assert.match(problems['hours[0].days'] ?? '', /has "noday"; give days such as \[mon, wed\]/);
    assert.match(problems['hours[1].to'] ?? '', /give "00:00" to "24:00" for whole days/);
    assert.match(refused({ every: 'day', hours: [] }).hours ?? '', /a list of 1 to 50 times/);
    assert.match(
      refused({ every: 'day', hours: [{ days: [], from: '09:00', to: '10:00' }] })['hours[0].days'] ?? '',
      /is empty/,
    );
  });
});

describe('patterns that begin on a date', () => {
  it('keep their order', () => {
    const pattern = accepted({
      ...{ every: 'week', from: '2026-12-01' },
      changes: [
        { from: '2027-01-04', every: 'day' },
        { from: '2027-02-01', rrule: 'FREQ=WEEKLY;BYDAY=MO,TH' },
      ],
    });
    assert.equal(
      patternText(pattern),
      'from 2026-12-01 every week, hand-off Monday 09:00, from 2027-01-04 every day, hand-off 09:00, from 2027-02-01 every Monday and Thursday, hand-off 09:00',
    );
  });

  it('are refused if a date is missing, wrong, or out of order', () => {
    const problems = refused({
      ...{ every: 'week', from: '2027-01-04' },
      changes: [{ every: 'day' }, { from: '2027-01-04', every: 'day' }, { from: 'soon', every: 'moon' }, 'x'],
    });
    assert.deepEqual(Object.keys(problems).sort(), [
      ...[
        'changes[0].from',
        'changes[1].from',
        'changes[2].every',
        'changes[2].from',
        'changes[3]',
        'changes[3].from',
      ],
    ]);
    assert.match(problems['changes[1].from'] ?? '', /is not after 2027-01-04; put the changes in order/);
    assert.match(refused({ every: 'week', changes: {} }).changes ?? '', /must be a list of at most 20/);
    assert.match(
      refused({ every: 'week', changes: [{ from: '2027-01-01', every: 'day', changes: [] }] })[
        'changes[0].changes'
      ] ?? '',
      /is not a known key/,
    );
  });
});
