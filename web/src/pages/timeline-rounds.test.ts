import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TimelineEntry } from '../../../src/pages/api-contract.ts';
import { folded } from './timeline-rounds.ts';

const at = '2026-03-02T10:00:00.000Z';
const ada = { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
const raised: TimelineEntry = { at, kind: 'raised', by: ada, request_id: 'r' };
const comment: TimelineEntry = { at, kind: 'comment', by: ada, text: 'Looking.' };
const notified = (round: number): TimelineEntry => ({
  at,
  kind: 'notified',
  person: ada,
  as: 'stage',
  stage: 1,
  round,
  why: {},
});
const attempt: TimelineEntry = {
  at,
  kind: 'attempt',
  person: ada,
  channel: 'sms',
  address: '+49…34',
  delivery_id: 'd',
  attempt: 1,
  outcome: 'refused',
  ended_at: at,
  provider_id: null,
  error: null,
  repeat: false,
  receipt: null,
  receipt_at: null,
  next_at: null,
};

const shape = (timeline: TimelineEntry[]) =>
  folded(timeline).map((part) => (part.kind === 'folded' ? part.words : part.entry.kind));

describe('a timeline of several rounds', () => {
  it('shows a single round completely', () => {
    const timeline = [raised, notified(1), attempt, attempt, attempt, attempt];
    assert.deepEqual(
      shape(timeline),
      timeline.map(({ kind }) => kind),
    );
  });

  it('folds the rounds before the newest', () => {
    assert.deepEqual(shape([raised, notified(1), attempt, attempt, attempt, notified(2), attempt]), [
      'raised',
      'Round 1: 3 attempts to Ada Lovelace, nobody answered',
      'notified',
      'attempt',
    ]);
  });

  it("never hides people's comments, and does not fold a few lines", () => {
    const timeline = [notified(1), attempt, attempt, attempt, comment, attempt, notified(2)];
    assert.deepEqual(shape(timeline).slice(1), ['comment', 'attempt', 'notified']);
    assert.deepEqual(shape([notified(1), attempt, notified(2)]), ['notified', 'attempt', 'notified']);
  });
});
