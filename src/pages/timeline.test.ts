import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTimeline, peopleIn, proofOf, type TimelineRows, upcomingAttempts } from './timeline.ts';

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com' };
const grace = { id: 'u2', name: 'Grace', email: 'grace@example.com' };
const people = new Map([ada, grace].map((person) => [person.id, person]));
const at = (second: number) => `2026-11-20T05:36:${String(second).padStart(2, '0')}.000Z`;

type Delivery = TimelineRows['deliveries'][number];
type Attempt = Delivery['attempts'][number];

function delivery(change: Partial<Delivery>): Delivery {
  return {
    id: 'd1',
    userId: 'u1',
    channel: 'sms',
    address: '+4915112344471',
    state: 'accepted',
    dueAt: at(2),
    repeat: false,
    bundledInto: null,
    receipt: null,
    receiptAt: null,
    error: null,
    finishedAt: null,
    attempts: [],
    allClear: null,
    ...change,
  };
}

function attempt(change: Partial<Attempt>): Attempt {
  return {
    attempt: 1,
    begunAt: at(2),
    endedAt: at(3),
    outcome: 'accepted',
    providerId: null,
    error: null,
    ...change,
  };
}

function rows(change: Partial<TimelineRows>): TimelineRows {
  return { requestId: 'request_1', events: [], responders: [], deliveries: [], ...change };
}

test('a person is notified before the attempts to reach them, even at the same time', () => {
  const story = buildTimeline(
    rows({
      events: [{ at: at(1), kind: 'raised', userId: 'u2', data: {} }],
      responders: [
        { at: at(1), kind: 'stage', userId: 'u1', stage: 1, round: 1, why: { reason: 'on call' } },
      ],
      deliveries: [delivery({ attempts: [attempt({ begunAt: at(1) })] })],
    }),
    people,
  );
  assert.deepEqual(
    story.map(({ kind }) => kind),
    ['raised', 'notified', 'attempt'],
  );
});

test('every attempt is shown; only the last has the receipt, and only later ones can be repeats', () => {
  const sent = delivery({
    state: 'delivered',
    repeat: true,
    receipt: 'delivered',
    receiptAt: at(9),
    attempts: [
      attempt({ outcome: 'unknown', error: 'the node was lost' }),
      attempt({ attempt: 2, begunAt: at(6), providerId: 'SM9d' }),
    ],
  });
  const story = buildTimeline(rows({ deliveries: [sent] }), people);
  assert.deepEqual(
    story.map(
      (entry) => entry.kind === 'attempt' && [entry.outcome, entry.repeat, entry.receipt, entry.provider_id],
    ),
    [
      ['unknown', false, null, null],
      ['accepted', true, 'delivered', 'SM9d'],
    ],
  );
  assert.deepEqual(proofOf(story), { attempts: 2, receipts: 1, repeats: 1 });
});

test('deliveries that were cancelled together are one entry', () => {
  const cancelled = delivery({ state: 'cancelled', finishedAt: at(30) });
  const story = buildTimeline(rows({ deliveries: [cancelled, { ...cancelled, id: 'd2' }] }), people);
  assert.deepEqual(story, [{ at: at(30), kind: 'cancelled', count: 2 }]);
});

test('addresses are shortened, so that they can be recognised but not used', () => {
  const addresses = [
    ['sms', '+4915112344471'],
    ['webhook', 'https://hooks.example.com/secret/abc'],
    ['push', 'https://push.example.com/send/xyz'],
    ['email', 'ada@example.com'],
  ] as const;
  const deliveries = addresses.map(([channel, address]) =>
    delivery({ channel, address, state: 'waiting', dueAt: at(50) }),
  );
  assert.deepEqual(
    upcomingAttempts(rows({ deliveries }), people).map((entry) => entry.kind === 'attempt' && entry.address),
    ['+49 ••• 4471', 'hooks.example.com', 'push.example.com', 'ada@example.com'],
  );
});

test('the people in the data of an event are shown by name', () => {
  const story = rows({
    events: [{ at: at(4), kind: 'added', userId: 'u1', data: { people: ['u2'], via: 'dashboard' } }],
  });
  assert.deepEqual(peopleIn(story), ['u1', 'u2']);
  assert.deepEqual(buildTimeline(story, people), [
    { at: at(4), kind: 'added', by: ada, people: [grace], via: 'dashboard' },
  ]);
});
