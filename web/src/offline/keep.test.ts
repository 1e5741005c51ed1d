import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SavedOnCall } from '../../../src/schedules/api-contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { keptOf } from './keep.ts';

const ada = {
  name: 'Ada',
  email: 'ada@example.com',
  contact_methods: [
    { type: 'webhook', value: 'https://example.com/hook?secret=1' },
    { type: 'phone', value: '+49301234' },
    { type: 'phone', value: '+49301234' },
    { type: 'chat', value: 'U123', chat_user_id: 'U123' },
  ],
};
const times = { start_time: '2026-11-23T09:00:00Z', end_time: '2026-11-30T09:00:00Z' };
const list = {
  ...{ saved_at: '2026-11-23T10:00:00Z', until: '2026-12-07T10:00:00Z', shortened: false },
  schedules: [
    { id: 's', name: 'Nights', team: 'SRE', backstop: ada, oncalls: [{ ...times, stage: 1, user: ada }] },
  ],
} as unknown as SavedOnCall;
const user = { name: 'Ada', email: 'ada@example.com', time_zone: 'Europe/Berlin', clock: '24' };

describe('the on-call list on a device', () => {
  it('contains who is on call and how to call them, and no secrets', () => {
    const kept = keptOf({ user } as Session, list);
    const person = { name: 'Ada', email: 'ada@example.com', phones: ['+49301234'] };
    assert.deepEqual(kept.schedules, [
      {
        ...{ name: 'Nights', team: 'SRE', backstop: person },
        shifts: [{ stage: 1, from: times.start_time, to: times.end_time, mine: true, person }],
      },
    ]);
    assert.doesNotMatch(JSON.stringify(kept), /secret|U123/);
    assert.deepEqual(kept.viewer, { name: 'Ada', zone: 'Europe/Berlin', twelveHours: false });
  });
});
