import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  clip,
  cut,
  type Interval,
  intersects,
  intersectsAny,
  overlapMs,
  union,
  within,
  without,
} from './interval.ts';

const instants = fc.nat(30).map((quarters) => quarters / 4);
const interval = fc.tuple(instants, instants).map(([from, length]) => ({ from, to: from + length }));
const intervals = fc.array(interval, { maxLength: 6 });
const has = (list: readonly Interval[], at: number) => list.some(({ from, to }) => from <= at && at < to);

describe('intervals', () => {
  it('contain the same instants, however they are cut and joined', () => {
    fc.assert(
      fc.property(intervals, intervals, interval, instants, (some, others, bounds, at) => {
        const [a, b] = [union(some), union(others)];
        assert.equal(has(a, at), has(some, at));
        assert.equal(has(without(a, b), at), has(a, at) && !has(b, at));
        assert.equal(has(within(a, bounds), at), has(a, at) && has([bounds], at));
        assert.deepEqual(union(a), a);
      }),
    );
  });

  it('are clipped and cut like lists of one, and keep their other fields', () => {
    fc.assert(
      fc.property(interval, interval, instants, (one, other, at) => {
        const whole = { ...one, seat: 2 };
        const clipped = clip(whole, other);
        assert.equal(has(clipped ? [clipped] : [], at), has([one], at) && has([other], at));
        assert.equal(has(cut(whole, other), at), has([one], at) && !has([other], at));
        for (const part of [clipped ?? [], cut(whole, other)].flat()) assert.equal(part.seat, 2);
      }),
    );
  });

  it('overlap exactly when they have time in common', () => {
    fc.assert(
      fc.property(interval, interval, intervals, (a, b, list) => {
        fc.pre(a.from < a.to && b.from < b.to);
        assert.equal(intersects(a, b), overlapMs(a, b) > 0);
        const apart = union(list);
        assert.equal(
          intersectsAny(apart, a),
          apart.some((one) => intersects(one, a)),
        );
      }),
    );
  });
});
