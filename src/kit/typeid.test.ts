import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstIdAt, idAt, isId, newId } from './typeid.ts';

describe('identifiers', () => {
  it('sort by time, so that each time has a lowest id', () => {
    const now = Temporal.Now.instant();
    const id = newId('page');
    assert.ok(firstIdAt('page', now.subtract({ seconds: 1 })) < id);
    assert.ok(firstIdAt('page', now.add({ seconds: 1 })) > id);
    assert.ok(isId('page', firstIdAt('page', now)));
    assert.ok(!isId('team', firstIdAt('page', now)));
  });

  it('can be made for another time', () => {
    const then = Temporal.Instant.from('2025-03-01T12:34:56.789Z');
    const id = idAt('page', then);
    assert.ok(isId('page', id) && id !== idAt('page', then));
    assert.ok(firstIdAt('page', then) < id);
    assert.ok(id < firstIdAt('page', then.add({ milliseconds: 1 })));
  });
});
