import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { minuteOfDay, sleepsAt, timeOfDay, USUAL_SLEEP } from './sleep.ts';

describe("a person's usual sleep", () => {
  const at = (text: string) => Temporal.Instant.from(text);

  it('follows their own clock, across midnight and daylight saving changes', () => {
    assert.equal(sleepsAt(at('2026-11-20T21:30:00Z'), 'Europe/Berlin', USUAL_SLEEP), true);
    assert.equal(sleepsAt(at('2026-11-20T20:59:00Z'), 'Europe/Berlin', USUAL_SLEEP), false);
    assert.equal(sleepsAt(at('2026-07-20T20:01:00Z'), 'Europe/Berlin', USUAL_SLEEP), true);
    assert.equal(sleepsAt(at('2026-11-20T06:00:00Z'), 'Europe/Berlin', USUAL_SLEEP), false);
  });

  it('may be during the day', () => {
    const byDay = { from: 9 * 60, until: 17 * 60 };
    assert.equal(sleepsAt(at('2026-11-20T12:00:00Z'), 'UTC', byDay), true);
    assert.equal(sleepsAt(at('2026-11-20T17:00:00Z'), 'UTC', byDay), false);
  });

  it('is written as a time of day', () => {
    assert.deepEqual([minuteOfDay('22:05'), timeOfDay(1325), timeOfDay(0)], [1325, '22:05', '00:00']);
  });
});
