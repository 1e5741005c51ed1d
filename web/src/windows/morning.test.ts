import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zoneOf } from '../kit/zones.ts';
import { morningAfter } from './morning.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

test('the morning is the next 08:00 that is at least two hours away', () => {
  const berlin = zoneOf('Europe/Berlin');
  assert.equal(morningAfter(at('2026-11-23T02:00:00Z'), berlin), at('2026-11-23T07:00:00Z'));
  assert.equal(morningAfter(at('2026-11-23T05:00:00Z'), berlin), at('2026-11-23T07:00:00Z'));
  assert.equal(morningAfter(at('2026-11-23T05:00:01Z'), berlin), at('2026-11-24T07:00:00Z'));
  assert.equal(morningAfter(at('2026-11-23T20:00:00Z'), berlin), at('2026-11-24T07:00:00Z'));
});

test('it is 08:00 by the clock on days when clocks change as well, and never far away', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe', 'UTC');
  const times = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') });
  fc.assert(
    fc.property(zones, times, (name, time) => {
      const zone = zoneOf(name);
      const morning = morningAfter(time, zone);
      const local = Temporal.Instant.fromEpochMilliseconds(morning).toZonedDateTimeISO(name);
      assert.equal(local.toPlainTime().toString({ smallestUnit: 'minute' }), '08:00');
      assert.ok(morning - time >= 2 * HOUR && morning - time <= 27 * HOUR, `${morning - time}`);
    }),
  );
});
