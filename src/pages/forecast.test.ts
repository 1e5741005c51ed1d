import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Escalation, StagePerson } from './escalation.ts';
import { forecast } from './forecast.ts';

const MINUTE = 60_000;
const START = Temporal.Instant.from('2026-11-20T05:00:00Z');
const person = (userId: string, away = false): StagePerson => ({ userId, away, reachable: true, why: {} });
const escalation: Escalation = {
  stages: [
    { stage: 1, escalateAfterMs: 5 * MINUTE, people: [person('ada')] },
    { stage: 2, escalateAfterMs: 5 * MINUTE, people: [person('alan')] },
  ],
  backstops: [{ userId: 'grace', reachable: true, why: {} }],
  members: [],
};

/** `05 stage 2 alan`: minutes from the start, what is notified, and whom. */
function described(steps: ReturnType<typeof forecast>): string[] {
  return steps.map((step) => {
    const minutes = step.at.since(START).total('minutes');
    if (step.kind === 'expire') return `${minutes} expire`;
    return `${minutes} round ${step.round} ${step.as} ${step.stage ?? '-'} ${step.userIds.join()}`;
  });
}

test('includes the rest of the round and the start of the next one', () => {
  const next = { step: { kind: 'stage', stage: 2, round: 1 } as const, dueAt: START };
  assert.deepEqual(described(forecast(next, 'high', escalation)), [
    '0 round 1 stage 2 alan',
    '5 round 1 backstop - grace',
    '10 round 2 stage 1 ada',
  ]);
});

test('ends with the expiry in the last round', () => {
  const next = { step: { kind: 'backstop', stage: null, round: 3 } as const, dueAt: START };
  assert.deepEqual(described(forecast(next, 'high', escalation)), ['0 round 3 backstop - grace', '5 expire']);
});

test('only expires for a page to one person', () => {
  const next = { step: { kind: 'expire', stage: null, round: 1 } as const, dueAt: START };
  assert.deepEqual(described(forecast(next, 'high', null)), ['0 expire']);
});

test('waits three times as long at medium urgency', () => {
  const next = { step: { kind: 'stage', stage: 2, round: 1 } as const, dueAt: START };
  assert.equal(described(forecast(next, 'medium', escalation))[1], '15 round 1 backstop - grace');
});
