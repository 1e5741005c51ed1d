import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acknowledgeTimeoutMs } from './acknowledge-timeout.ts';
import { URGENCIES } from './urgency-contract.ts';

const MINUTE = 60_000;
const high = (minutes: number) => ({ low: 0, medium: 0, high: minutes });

test('an acknowledgement of high urgency lasts for the shortest time of the schedules', () => {
  assert.equal(acknowledgeTimeoutMs('high', [high(45), high(20), high(0)]), 20 * MINUTE);
  assert.equal(acknowledgeTimeoutMs('high', [high(0)]), null);
});

test('without a schedule, it lasts half an hour at high urgency, and for ever below', () => {
  assert.equal(acknowledgeTimeoutMs('high', []), 30 * MINUTE);
  assert.equal(acknowledgeTimeoutMs('medium', []), null);
  assert.equal(acknowledgeTimeoutMs('low', []), null);
});

test('each urgency has its own time, the shortest one that is not 0', () => {
  const minutes = fc.integer({ min: 0, max: 10_080 });
  const times = fc.record({ low: minutes, medium: minutes, high: minutes });
  fc.assert(
    fc.property(
      fc.constantFrom(...URGENCIES),
      fc.array(times, { minLength: 1, maxLength: 5 }),
      (urgency, schedules) => {
        const lasts = acknowledgeTimeoutMs(urgency, schedules);
        const own = schedules.map((one) => one[urgency]).filter((one) => one > 0);
        if (own.length === 0) assert.equal(lasts, null);
        else assert.equal(lasts, (own.toSorted((a, b) => a - b)[0] ?? 0) * MINUTE);
      },
    ),
  );
});
