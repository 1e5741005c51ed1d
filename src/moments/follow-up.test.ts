import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followUp, reopened } from './follow-up.ts';
import type { Parts } from './parts.ts';

const at = (second: number) => Temporal.Instant.fromEpochMilliseconds(second * 1_000);
const MEDIUM = { priority: 'medium' } as const;
/** The state after a person resolved it in the second of its last event. */
const byPerson = { lastEventAt: at(10).add({ microseconds: 1 }), acknowledgedAt: null, resolvedBy: 'user' };
const bySender = { lastEventAt: at(10), acknowledgedAt: null, resolvedBy: null };

/** The effect of an event on a moment that was reopened. */
function afterwards(
  ended: Parameters<typeof reopened>[0],
  endedAt: Temporal.Instant | null,
  action: 'open' | 'resolve' | 'acknowledge',
  second: number,
): string {
  const next = reopened(ended, endedAt);
  return followUp({ ...next, ...MEDIUM, acknowledgedBy: null }, { ...MEDIUM, action, at: at(second) }).change;
}

describe('an opening event that is older than the latest known event', () => {
  const fires = (second: number) => ({ is: 'firing' as const, at: second * 1_000 });
  const ended = (second: number) => ({ is: 'ended' as const, at: second * 1_000 });
  const left = (second: number) => ({ is: 'left' as const, at: second * 1_000 });

  function becomes(state: 'open' | 'resolved', known: Parts | null, told: Parts | null): string {
    const moment = { ...MEDIUM, state, lastEventAt: at(10), acknowledgedBy: null, parts: known };
    return followUp(moment, { ...MEDIUM, action: 'open', at: at(5), parts: told }).change;
  }

  it('is a new moment if it names a part that the ended one did not have', () => {
    assert.equal(becomes('resolved', { a: ended(10) }, { b: fires(5) }), 'create');
    assert.equal(becomes('resolved', { a: ended(10) }, { a: fires(4), b: fires(5) }), 'create');
    assert.equal(becomes('resolved', { a: ended(4) }, { a: fires(5) }), 'create', 'it fires anew');
    assert.equal(becomes('resolved', { a: ended(10), b: left(5) }, { b: fires(5) }), 'create');
  });

  it('is ignored if all of its parts were in the ended one', () => {
    assert.equal(becomes('resolved', { a: ended(10) }, { a: fires(5) }), 'none');
    assert.equal(becomes('resolved', { a: fires(5) }, { a: fires(5) }), 'none', 'a person has resolved it');
    assert.equal(becomes('resolved', { a: ended(10), b: left(5) }, { a: fires(5), b: fires(5) }), 'none');
    assert.equal(becomes('resolved', { a: ended(10) }, { b: ended(5) }), 'none');
    assert.equal(becomes('resolved', { a: ended(10) }, {}), 'none');
  });

  it('updates an open moment if it names all firing parts, and none that has ended', () => {
    assert.equal(becomes('open', { a: ended(10), b: fires(5) }, { b: fires(5) }), 'update');
    assert.equal(becomes('open', { b: fires(5) }, { b: fires(5), c: fires(4) }), 'update');
    assert.equal(becomes('open', { b: fires(5), c: fires(4) }, { b: fires(5) }), 'none');
    assert.equal(becomes('open', { a: ended(10), b: fires(5) }, { a: fires(5), b: fires(5) }), 'none');
    assert.equal(becomes('open', { b: fires(5) }, { b: fires(4) }), 'none');
  });

  it('is ignored if one of them names no parts', () => {
    for (const state of ['open', 'resolved'] as const) {
      assert.equal(becomes(state, null, { b: fires(5) }), 'none');
      assert.equal(becomes(state, { a: ended(10) }, null), 'none');
    }
  });
});

describe('a moment that a person reopens', () => {
  it('returns to its former state', () => {
    assert.equal(reopened(byPerson, null).state, 'open');
    assert.equal(reopened({ ...bySender, acknowledgedAt: at(5) }, null).state, 'acknowledged');
  });

  it('is as if it had never been resolved, if a person had resolved it', () => {
    assert.deepEqual(reopened(byPerson, null), {
      ...{ state: 'open', lastEventAt: at(10), endedBySender: false },
    });
    assert.equal(afterwards(byPerson, null, 'open', 10), 'update');
    assert.equal(afterwards(byPerson, null, 'resolve', 10), 'resolve');
    assert.equal(afterwards(byPerson, null, 'open', 9), 'none');
  });

  it('is not ended again by a known end, but by a later one', () => {
    assert.equal(afterwards(bySender, null, 'resolve', 10), 'none');
    assert.equal(afterwards(bySender, null, 'resolve', 11), 'resolve');
    assert.equal(afterwards(byPerson, at(20), 'resolve', 20), 'none');
    assert.equal(afterwards(byPerson, at(20), 'resolve', 21), 'resolve');
    assert.equal(reopened(byPerson, at(20)).endedBySender, true);
    assert.equal(reopened(byPerson, at(9)).endedBySender, false, 'of something before it');
  });

  it('continues with the next firing, which opens no other moment', () => {
    assert.equal(afterwards(bySender, null, 'open', 11), 'update');
    assert.equal(afterwards(bySender, null, 'open', 9), 'none');
    assert.equal(afterwards(byPerson, at(20), 'open', 15), 'none');
    assert.equal(afterwards(byPerson, at(20), 'acknowledge', 21), 'acknowledge');
  });
});

describe('an event about an acknowledged moment', () => {
  const parts = {
    known: { a: { is: 'firing', at: 5_000 } },
    told: { a: { is: 'firing', at: 5_000 } },
  } as const;

  function becomes(acknowledgedBy: string | null, event: Partial<Parameters<typeof followUp>[1]>): string {
    const moment = { ...MEDIUM, state: 'acknowledged', lastEventAt: at(10), acknowledgedBy } as const;
    return followUp({ ...moment, parts: parts.known }, { ...MEDIUM, action: 'open', at: at(10), ...event })
      .change;
  }

  it('reopens it if it is worse than the state that its sender acknowledged', () => {
    assert.equal(becomes(null, { priority: 'high' }), 'unacknowledge');
    assert.equal(becomes(null, { priority: 'medium' }), 'update');
    assert.equal(becomes(null, { priority: 'low' }), 'update');
  });

  it('does not reopen it if a person acknowledged it', () => {
    assert.equal(becomes('user_1', { priority: 'high' }), 'update');
  });

  it('does not reopen it if the sender reports it as acknowledged, or the event is older', () => {
    assert.equal(becomes(null, { action: 'acknowledge', priority: 'high' }), 'update');
    assert.equal(becomes(null, { at: at(9), priority: 'high', parts: parts.told }), 'update');
    assert.equal(becomes(null, { at: at(9), priority: 'high' }), 'none');
  });
});

describe('an acknowledgement without an open moment', () => {
  it('opens one only if it describes it completely', () => {
    const told = (opens: boolean) =>
      followUp(null, { ...MEDIUM, action: 'acknowledge', at: at(1), opens }).change;
    assert.deepEqual([true, false].map(told), ['create', 'none']);
  });
});
