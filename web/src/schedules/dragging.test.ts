import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { zoneOf } from '../kit/zones.ts';
import { type Block, blockOf, dragged, dropOf } from './dragging.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zone = zoneOf('UTC');
const MONDAY = Date.parse('2027-03-01T09:00:00Z');
const NOW = MONDAY - 3 * DAY;
const said = (at: number) => zone.moment(at, NOW);
const text = (at: number) => new Date(at).toISOString();

const PEOPLE = { ada: 'Ada Lovelace', alan: 'Alan Turing', grace: 'Grace Hopper' } as const;
type Name = keyof typeof PEOPLE;

function shift(who: Name | null, from: number, to: number, override: string | null = null): TimelineShift {
  const person = who ? { id: who, name: PEOPLE[who], username: who } : null;
  return {
    ...{ id: `shift_${from}`, stage: 1, seat: 1, person, away: false, planned: null },
    ...{ starts_at: text(from), ends_at: text(to), created_at: text(NOW), updated_at: text(NOW) },
    override: override === null ? null : { id: override, created_by: null, created_at: text(NOW) },
  } as TimelineShift;
}

const WEEK = 7 * DAY;
const before = shift('alan', MONDAY - WEEK, MONDAY);
const mine = shift('ada', MONDAY, MONDAY + WEEK);
const after = shift('grace', MONDAY + WEEK, MONDAY + 2 * WEEK);
const shifts = [before, mine, after];
const block = blockOf(mine, []) as Block;
const at = { now: NOW, zone };
const puts = (drop: ReturnType<typeof dropOf>) =>
  drop.add.map(
    ({ user, starts_at, ends_at }) => `${user} ${starts_at.slice(5, 10)} to ${ends_at.slice(5, 10)}`,
  );

describe('the effect of a dropped shift', () => {
  it('gives added time to its person', () => {
    const drop = dropOf(block, { from: MONDAY, to: MONDAY + WEEK + 2 * DAY }, shifts, at);
    assert.deepEqual(puts(drop), ['ada 03-08 to 03-10']);
    assert.equal(drop.says, `Ada: ${said(MONDAY)} – ${said(MONDAY + WEEK + 2 * DAY)} (UTC).`);
  });

  it('gives removed time to its neighbour', () => {
    const drop = dropOf(block, { from: MONDAY + DAY, to: MONDAY + WEEK - DAY }, shifts, at);
    assert.deepEqual(puts(drop), ['alan 03-01 to 03-02', 'grace 03-07 to 03-08']);
    assert.ok(
      drop.says.includes(` Alan takes ${said(MONDAY)} – ${said(MONDAY + DAY)}. Grace takes `),
      drop.says,
    );
  });

  it('moves both ends, even beyond its own length', () => {
    const near = dropOf(block, { from: MONDAY + DAY, to: MONDAY + WEEK + DAY }, shifts, at);
    assert.deepEqual(puts(near), ['alan 03-01 to 03-02', 'ada 03-08 to 03-09']);
    const far = dropOf(block, { from: MONDAY + 8 * DAY, to: MONDAY + 15 * DAY }, shifts, at);
    assert.deepEqual(puts(far), ['alan 03-01 to 03-08', 'ada 03-09 to 03-16']);
  });

  it('gives time that an override leaves back to the plan', () => {
    const put = shift('grace', MONDAY, MONDAY + DAY, 'override_1');
    const drop = dropOf(blockOf(put, []) as Block, { from: MONDAY, to: MONDAY + 2 * DAY }, [put], at);
    assert.deepEqual(drop.remove, ['override_1']);
    assert.deepEqual(puts(drop), ['grace 03-01 to 03-03']);
  });

  it('drags all of an override that covers several shifts', () => {
    const override = { id: 'override_1', starts_at: text(MONDAY), ends_at: text(MONDAY + 3 * DAY) };
    const piece = shift('grace', MONDAY, MONDAY + DAY, 'override_1');
    const whole = blockOf(piece, [override as never]);
    assert.deepEqual([whole?.from, whole?.to], [MONDAY, MONDAY + 3 * DAY]);
  });

  it('does not move gaps', () => assert.equal(blockOf(shift(null, MONDAY, MONDAY + DAY), []), null));

  it('refuses impossible drops with one sentence', () => {
    const refusal = (span: { from: number; to: number }, all: TimelineShift[], now: number) =>
      dropOf(block, span, all, { now, zone }).refusal ?? '';
    const later = { from: MONDAY + DAY, to: MONDAY + WEEK };
    assert.match(
      refusal(later, [mine, after], NOW),
      /^The shift cannot leave a gap: nobody is on call before Ada\. Hand/,
    );
    assert.match(
      refusal(later, [shift(null, MONDAY - DAY, MONDAY), mine], NOW),
      /^The shift cannot leave a gap: nobody is on call before/,
    );
    assert.match(refusal(later, [shift('ada', MONDAY - DAY, MONDAY), mine], NOW), /also Ada’s/);
    assert.match(refusal(later, shifts, MONDAY + HOUR), /^Ada is on call already/);
    assert.match(refusal(later, shifts, MONDAY + 2 * WEEK), /^This shift is over/);
    assert.match(refusal({ from: NOW - DAY, to: MONDAY }, shifts, NOW), /begin in the past/);
    assert.match(refusal({ from: MONDAY, to: MONDAY }, shifts, NOW), /has to end after it begins/);
    assert.match(refusal({ from: MONDAY, to: MONDAY + HOUR }, shifts, MONDAY + 2 * HOUR), /in the future/);
  });

  it('changes nothing if it is dropped where it was picked up', () => {
    const drop = dropOf(block, block, shifts, at);
    assert.deepEqual([drop.add, drop.remove, drop.refusal], [[], [], null]);
  });

  it('never doubles a person or leaves time of the seat without one', () => {
    const hours = fc.integer({ min: -5 * 24, max: 12 * 24 });
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 13 * 24 }), (start, length) => {
        const span = { from: MONDAY + start * HOUR, to: MONDAY + (start + length) * HOUR };
        const drop = dropOf(block, span, shifts, { now: MONDAY - WEEK, zone });
        assert.equal(drop.refusal, null);
        const has = (hour: number) => {
          const time = MONDAY + hour * HOUR;
          const put = drop.add.findLast(
            ({ starts_at, ends_at }) => Date.parse(starts_at) <= time && time < Date.parse(ends_at),
          );
          const planned = shifts.find(
            ({ starts_at, ends_at }) => Date.parse(starts_at) <= time && time < Date.parse(ends_at),
          );
          return put?.user ?? planned?.person?.id;
        };
        for (let hour = -7 * 24; hour < 14 * 24; hour++) {
          const isIn = start <= hour && hour < start + length;
          assert.equal(has(hour) === 'ada', isIn, `hour ${hour}`);
          assert.ok(has(hour));
        }
      }),
    );
  });
});

describe('the times of a dragged shift', () => {
  const berlin = zoneOf('Europe/Berlin');
  const local = (ms: number) => berlin.toInput(ms);

  it('keep their local time when the clocks change, in views of weeks', () => {
    const saturday = berlin.fromInput('2027-03-27T09:00') as number;
    const one = { ...block, from: saturday, to: berlin.fromInput('2027-03-28T09:00') as number };
    const { from, to } = dragged(one, 'whole', DAY, 'weeks', berlin);
    assert.deepEqual([local(from), local(to)], ['2027-03-28T09:00', '2027-03-29T09:00']);
  });

  it('snap to hours in a week and to quarters of an hour in a day, only at the dragged part', () => {
    const ends = (by: number, view: 'day' | 'week') => {
      const { from, to } = dragged(block, 'end', by, view, zone);
      assert.equal(from, block.from);
      return (to - block.to) / 60_000;
    };
    assert.equal(ends(80 * 60_000, 'week'), 60);
    assert.equal(ends(80 * 60_000, 'day'), 75);
    assert.equal(dragged(block, 'start', -DAY, 'month', zone).from, MONDAY - DAY);
  });

  it('do not change without a movement, however odd they are', () => {
    const odd = { ...block, from: MONDAY + 7 * 60_000 };
    assert.deepEqual(dragged(odd, 'whole', 0, 'day', zone), { from: odd.from, to: odd.to });
  });
});
