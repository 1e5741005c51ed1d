import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { beginWatch, landed, observe, type Seen, type Watch } from './watch.ts';

const LIMITS = { afterMs: 5_000, landAfterMs: 5_000 };

/** The watch after these observations, each a second after the one before. */
function after(looks: readonly Seen[], from: Watch = beginWatch(0, false)): Watch {
  return looks.reduce((watch, seen, index) => observe(watch, seen, (index + 1) * 1_000, LIMITS), from);
}
const times = (count: number, seen: Seen) => Array.from({ length: count }, () => seen);

describe('whether the lifeboat is afloat', () => {
  it('is ashore for a short absence, and afloat from the limit on', () => {
    assert.equal(after(times(4, 'away')).state, 'ashore');
    assert.equal(after(times(5, 'away')).state, 'afloat');
    assert.equal(after([...times(4, 'away'), 'wrote', ...times(4, 'away')]).state, 'ashore');
  });

  it('is ashore after one failure, however late it is', () => {
    const slow = observe(after(['wrote']), 'away', 60_000, LIMITS);
    assert.equal(slow.state, 'ashore');
    assert.equal(observe(slow, 'away', 61_000, LIMITS).state, 'afloat');
  });

  it('lands once the database has accepted writes long enough without a failure', () => {
    const afloat = times(5, 'away');
    assert.equal(after([...afloat, ...times(5, 'wrote')]).state, 'afloat');
    assert.equal(after([...afloat, ...times(6, 'wrote')]).state, 'landing');
    assert.equal(after([...afloat, ...times(5, 'wrote'), 'away', ...times(5, 'wrote')]).state, 'afloat');
  });

  it('is ashore after a complete landing, and afloat after an interrupted one', () => {
    const landing = after([...times(5, 'away'), ...times(6, 'wrote')]);
    assert.equal(landed(landing, true).state, 'ashore');
    const again = landed(landing, false);
    assert.equal(again.state, 'afloat');
    assert.equal(observe(again, 'wrote', 20_000, LIMITS).state, 'afloat');
    assert.equal(observe(observe(again, 'wrote', 20_000, LIMITS), 'wrote', 25_000, LIMITS).state, 'landing');
  });

  it('continues at once with pages of an earlier process', () => {
    assert.equal(beginWatch(0, true).state, 'afloat');
    assert.equal(after(['away'], beginWatch(0, true)).state, 'afloat');
    assert.equal(after(['wrote'], beginWatch(0, true)).state, 'landing');
    assert.equal(after(['away', 'wrote'], beginWatch(0, true)).state, 'afloat');
  });

  it('changes nothing if a failure does not show that the database is away', () => {
    assert.equal(after(times(60, 'unclear')).state, 'ashore');
    const afloat = after(times(5, 'away'));
    assert.deepEqual(after(times(60, 'unclear'), afloat), afloat);
  });
});

const looks = fc.array(fc.constantFrom<Seen>('wrote', 'away', 'unclear'), { maxLength: 60 });

it('is only afloat if the database was away for the whole limit', () => {
  fc.assert(
    fc.property(looks, (seen) => {
      let watch = beginWatch(0, false);
      let wroteAt = 0;
      for (const [index, one] of seen.entries()) {
        const now = (index + 1) * 1_000;
        const before = watch.state;
        watch = observe(watch, one, now, LIMITS);
        if (one === 'wrote') wroteAt = now;
        if (before === 'ashore' && watch.state !== 'ashore') {
          assert.equal(one, 'away');
          assert.equal(watch.state, 'afloat');
          assert.ok(now - wroteAt >= LIMITS.afterMs);
        }
      }
    }),
  );
});

it('never leaves its pages: only a landing leads from afloat to ashore', () => {
  fc.assert(
    fc.property(looks, fc.boolean(), (seen, whole) => {
      let watch = beginWatch(0, true);
      for (const [index, one] of seen.entries()) {
        watch = observe(watch, one, (index + 1) * 1_000, LIMITS);
        assert.notEqual(watch.state, 'ashore');
      }
      if (watch.state === 'landing') assert.equal(landed(watch, whole).state, whole ? 'ashore' : 'afloat');
      else assert.deepEqual(landed(watch, whole), watch);
    }),
  );
});
