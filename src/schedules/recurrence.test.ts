import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rhythmOf } from '../../testing/planning/scene.ts';
import { handoffs } from './handoffs.ts';

const at = (text: string) => Temporal.Instant.from(text);

function between(pattern: unknown, zone: string, from: string, to: string): string[] {
  return handoffs(rhythmOf(pattern), zone, at(from), at(to)).map((instant) =>
    instant.toZonedDateTimeISO(zone).toString({ smallestUnit: 'minute', timeZoneName: 'never' }),
  );
}

describe('recurrence rules', () => {
  it('Mondays and Thursdays', () => {
    assert.deepEqual(
      between(
        { rrule: 'FREQ=WEEKLY;BYDAY=MO,TH', handoff: '09:00' },
        'UTC',
        '2026-11-03T00:00:00Z',
        '2026-11-10T00:00:00Z',
      ),
      [
        '2026-11-02T09:00+00:00',
        '2026-11-05T09:00+00:00',
        '2026-11-09T09:00+00:00',
        '2026-11-12T09:00+00:00',
      ],
    );
  });

  it('first Monday and last Friday of the month', () => {
    assert.deepEqual(
      between(
        { rrule: 'FREQ=MONTHLY;BYDAY=1MO,-1FR', handoff: '09:00' },
        'UTC',
        '2026-11-10T00:00:00Z',
        '2026-12-08T00:00:00Z',
      ),
      [
        '2026-11-02T09:00+00:00',
        '2026-11-27T09:00+00:00',
        '2026-12-07T09:00+00:00',
        '2026-12-25T09:00+00:00',
      ],
    );
  });

  it('every second week, counted from a date that may be in the future', () => {
    for (const starts_on of ['2026-11-02', '2026-11-30', '2026-12-28', '2024-01-15'])
      assert.deepEqual(
        between(
          { rrule: 'FREQ=WEEKLY;INTERVAL=2', handoff: '09:00', starts_on },
          'UTC',
          '2026-11-10T00:00:00Z',
          '2026-11-20T00:00:00Z',
        ),
        ['2026-11-02T09:00+00:00', '2026-11-16T09:00+00:00', '2026-11-30T09:00+00:00'],
        starts_on,
      );
  });

  it('once a month, on the day of the month of the start date', () => {
    assert.deepEqual(
      between(
        { rrule: 'FREQ=MONTHLY', handoff: '09:00', starts_on: '2026-01-15' },
        'UTC',
        '2026-11-10T00:00:00Z',
        '2026-11-20T00:00:00Z',
      ),
      ['2026-10-15T09:00+00:00', '2026-11-15T09:00+00:00', '2026-12-15T09:00+00:00'],
    );
  });

  it('a day that most months do not have', () => {
    assert.deepEqual(
      between(
        { rrule: 'FREQ=MONTHLY;BYMONTHDAY=31', handoff: '09:00' },
        'UTC',
        '2026-11-10T00:00:00Z',
        '2026-11-11T00:00:00Z',
      ),
      ['2026-10-31T09:00+00:00', '2026-12-31T09:00+00:00'],
    );
  });
});
