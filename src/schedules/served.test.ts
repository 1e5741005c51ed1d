import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlannedShift } from './planner.ts';
import { servedIn } from './served.ts';

const served = servedIn({ timeZone: 'Europe/Berlin', holidays: new Set(['2026-12-25', '2026-12-26']) });
const shift = (from: string, to: string): PlannedShift => ({
  stage: 1,
  seat: 1,
  from: Temporal.Instant.from(from).epochMilliseconds,
  to: Temporal.Instant.from(to).epochMilliseconds,
  userId: 'ada',
  reason: null,
});

describe('the nights, weekends and holidays of a shift', () => {
  it('has seven nights and one weekend in a week, even in the weeks of the clock changes', () => {
    for (const monday of ['2026-11-16T08:00Z', '2026-10-19T07:00Z', '2027-03-22T08:00Z']) {
      const from = Temporal.Instant.from(monday).toZonedDateTimeISO('Europe/Berlin');
      const week = shift(from.toInstant().toString(), from.add({ weeks: 1 }).toInstant().toString());
      assert.deepEqual(served(week), { nights: 7, weekends: 1, holidays: 0 }, monday);
    }
  });

  it('has one night in a day, and none in office hours', () => {
    assert.deepEqual(served(shift('2026-11-18T08:00Z', '2026-11-19T08:00Z')), {
      ...{ nights: 1, weekends: 0, holidays: 0 },
    });
    assert.deepEqual(served(shift('2026-11-18T08:00Z', '2026-11-18T16:00Z')), {
      ...{ nights: 0, weekends: 0, holidays: 0 },
    });
  });

  it('counts holidays if half of the day is in the shift', () => {
    assert.deepEqual(served(shift('2026-12-24T08:00Z', '2026-12-26T08:00Z')), {
      ...{ nights: 2, weekends: 0, holidays: 1 },
    });
  });

  it('counts a weekend at the end of the shift', () => {
    assert.deepEqual(served(shift('2026-11-20T16:00Z', '2026-11-22T16:00Z')).weekends, 1);
    assert.deepEqual(served(shift('2026-11-20T16:00Z', '2026-11-21T20:00Z')).weekends, 1);
    assert.deepEqual(served(shift('2026-11-20T16:00Z', '2026-11-21T08:00Z')).weekends, 0);
  });
});
