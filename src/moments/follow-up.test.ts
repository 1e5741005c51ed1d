import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followUp, reopened } from './follow-up.ts';

const at = (second: number) => Temporal.Instant.fromEpochMilliseconds(second * 1_000);
/** As a person leaves it who resolves what was last heard of at that second. */
const byPerson = { lastEventAt: at(10).add({ microseconds: 1 }), acknowledgedAt: null, resolvedBy: 'user' };
const bySender = { lastEventAt: at(10), acknowledgedAt: null, resolvedBy: null };

/** What an event does to a moment that was reopened. */
function afterwards(
  ended: Parameters<typeof reopened>[0],
  endedAt: Temporal.Instant | null,
  action: 'open' | 'resolve' | 'acknowledge',
  second: number,
): string {
  const next = reopened(ended, endedAt);
  return followUp({ ...next, acknowledgedBy: null }, { action, at: at(second) }).change;
}

describe('a moment that a person reopens', () => {
  it('is what it was before', () => {
    assert.equal(reopened(byPerson, null).state, 'open');
    assert.equal(reopened({ ...bySender, acknowledgedAt: at(5) }, null).state, 'acknowledged');
  });

  it('is as if nobody had resolved it, where a person had', () => {
    assert.deepEqual(reopened(byPerson, null), {
      ...{ state: 'open', lastEventAt: at(10), endedBySender: false },
    });
    assert.equal(afterwards(byPerson, null, 'open', 10), 'update');
    assert.equal(afterwards(byPerson, null, 'resolve', 10), 'resolve');
    assert.equal(afterwards(byPerson, null, 'open', 9), 'none');
  });

  it('is not ended again by an end that was known, but by a later one', () => {
    assert.equal(afterwards(bySender, null, 'resolve', 10), 'none');
    assert.equal(afterwards(bySender, null, 'resolve', 11), 'resolve');
    assert.equal(afterwards(byPerson, at(20), 'resolve', 20), 'none');
    assert.equal(afterwards(byPerson, at(20), 'resolve', 21), 'resolve');
    assert.equal(reopened(byPerson, at(20)).endedBySender, true);
    assert.equal(reopened(byPerson, at(9)).endedBySender, false, 'of something before it');
  });

  it('goes on with the next firing, which makes no other moment', () => {
    assert.equal(afterwards(bySender, null, 'open', 11), 'update');
    assert.equal(afterwards(bySender, null, 'open', 9), 'none');
    assert.equal(afterwards(byPerson, at(20), 'open', 15), 'none');
    assert.equal(afterwards(byPerson, at(20), 'acknowledge', 21), 'acknowledge');
  });
});
