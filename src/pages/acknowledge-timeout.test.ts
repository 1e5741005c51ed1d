import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acknowledgeTimeoutMs } from './acknowledge-timeout.ts';

const MINUTE = 60_000;

test('an acknowledgement of high urgency lasts as long as the shortest of the schedules says', () => {
  assert.equal(acknowledgeTimeoutMs('high', [45, 20, 0]), 20 * MINUTE);
  assert.equal(acknowledgeTimeoutMs('high', [0]), null);
});

test('without a schedule it lasts half an hour', () => {
  assert.equal(acknowledgeTimeoutMs('high', []), 30 * MINUTE);
});

test('what is less urgent never notifies again by itself', () => {
  assert.equal(acknowledgeTimeoutMs('medium', [5]), null);
  assert.equal(acknowledgeTimeoutMs('low', []), null);
});
