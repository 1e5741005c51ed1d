import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  DAY,
  isUnchanged,
  planned,
  revise,
  rowsAfter,
  type Scene,
  situationOf,
} from '../../testing/planning/scene.ts';
import {
  absences,
  type Drawn,
  openHours,
  overrideOf,
  quarterDays,
  scenes,
} from '../../testing/planning/scenes.ts';
import type { Interval } from '../kit/interval.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import { overlap } from '../schedules/planner.ts';

const overridden = fc.array(overrideOf, { minLength: 1, maxLength: 4 });

/** Overrides in which no two have the same person at the same time. */
const apart = overridden.map((overrides) =>
  overrides.filter(
    (one, index) => !overrides.slice(0, index).some((other) => other.who === one.who && overlap(one, other)),
  ),
);

/** What may differ when a plan is made again. */
const changes = fc.record({
  before: fc.array(overrideOf, { maxLength: 4 }),
  after: fc.array(overrideOf, { maxLength: 4 }),
  later: quarterDays(6),
  hours: openHours,
  away: absences,
  restHours: fc.constantFrom(0, 24, 30),
  cover: fc.constantFrom('apply' as const, 'propose' as const),
});

const usual = { seats: [1, 1, 1], wishes: [], at: 0, length: 1 as const, to: 8 };
const same = { later: 0, hours: undefined, cover: 'apply' as const };

/**
 * Cases that once failed: two overrides were deleted, after which their person could not keep both of two shifts, and
 * the lost one kept them from another; a person lost a shift to a lower stage after it had kept them from a gap;
 * another hand-off split a shift that began within three days; and the pieces of a partial override made up a whole
 * shift.
 */
const ONCE_CHANGED: [Drawn<typeof scenes>, Drawn<typeof changes>][] = [
  [
    {
      ...{
        ...usual,
        strategy: 'fair',
        stages: [
          ['D', 'A'],
          ['D', 'A'],
        ],
        seats: [2, 1, 1],
      },
      ...{ away: {}, restHours: 30 },
    },
    {
      ...{ ...same, away: {}, restHours: 30 },
      before: [{ who: 'A', stage: 2, from: 0.25, to: 3 }],
      after: [{ who: 'A', stage: 1, from: 0, to: 0.25 }],
    },
  ],
  [
    { ...usual, strategy: 'rotation', stages: [['B'], ['A', 'B']], away: { A: [[7, 11]] }, restHours: 24 },
    {
      ...{ ...same, away: { A: [[7, 11]] }, restHours: 24 },
      before: [{ who: 'B', stage: 2, from: 5.25, to: 8 }],
      after: [{ who: 'A', stage: 1, from: 0, to: 0.25 }],
    },
  ],
  [
    {
      ...{
        ...usual,
        strategy: 'rotation',
        stages: [['B', 'E'], ['B']],
        seats: [2, 1, 1],
        restHours: 0,
        to: 18,
      },
      away: { B: [[13.25, 17.25]] },
    },
    {
      ...{ ...same, hours: [[0, 17.5]], away: { E: [[15, 15.25]] }, restHours: 30 },
      ...{ before: [{ who: 'A', stage: 2, from: 13.5, to: 17.25 }], after: [] },
    },
  ],
  [
    {
      ...{ ...usual, strategy: 'rotation', stages: [[], ['C'], []], away: {}, restHours: 0 },
      ...{ at: 1.5, length: 2, to: 10 },
    },
    {
      ...{ ...same, hours: [[9, 10.25]], away: {}, restHours: 30, later: 4.75 },
      ...{ before: [], after: [{ who: 'C', stage: 1, from: 7.5, to: 9 }] },
    },
  ],
  [
    {
      ...{ ...usual, strategy: 'rotation', stages: [['B', 'A'], ['D', 'B'], []], seats: [1, 2, 1] },
      ...{ away: {}, restHours: 0, to: 10 },
    },
    {
      ...{ ...same, away: {}, restHours: 30, later: 4, before: [{ who: 'B', stage: 1, from: 5, to: 9.25 }] },
      after: [
        { who: 'B', stage: 2, from: 7.25, to: 8 },
        { who: 'D', stage: 3, from: 7.75, to: 9.25 },
      ],
    },
  ],
];

const bySeat = (rows: readonly ShiftRow[]) =>
  Map.groupBy(
    rows.toSorted((a, b) => a.from - b.from),
    ({ stage, seat }) => `${stage} ${seat}`,
  );

function checkCovered(scene: Scene, rows: readonly ShiftRow[]): void {
  const { handoffs, stages } = situationOf(scene);
  for (const { stage, seats } of stages) {
    for (let seat = 1; seat <= seats; seat++) {
      const shifts = bySeat(rows).get(`${stage} ${seat}`) ?? [];
      assert.equal(shifts[0]?.from, handoffs[0], 'begins at the hand-off before now');
      assert.equal(shifts.at(-1)?.to, handoffs.at(-1), 'reaches as far as it should');
      for (const [index, shift] of shifts.slice(1).entries())
        assert.equal(shift.from, shifts[index]?.to, 'no hole, no overlap');
    }
  }
}

/** The part of a shift that has not been served yet. */
const served = (row: ShiftRow, at: number): Interval => ({ from: Math.max(row.from, at), to: row.to });

function checkAllowed(scene: Scene, rows: readonly ShiftRow[]): void {
  const { records, stages, restMs, at } = situationOf(scene);
  for (const row of rows) {
    if (row.userId === null) continue;
    const stage = stages.find((other) => other.stage === row.stage);
    assert.ok(
      stage?.members.some(({ userId }) => userId === row.userId),
      'is a member',
    );
    const hard = (records.get(row.userId) ?? []).filter(({ type }) => type === 'hard_unavailable');
    assert.ok(
      !hard.some((record) => overlap(record, served(row, at))),
      'nobody is planned over a hard record',
    );
    for (const other of rows) {
      if (other === row || other.userId !== row.userId) continue;
      assert.ok(!overlap(row, other), 'nobody has two shifts at once');
      const alwaysOn = row.stage === other.stage && (stage?.members.length ?? 0) <= (stage?.seats ?? 1);
      if (!alwaysOn && other.from >= row.to) assert.ok(other.from - row.to >= restMs, 'rest is kept');
    }
  }
}

/** Nobody chooses a gap in the lowest stage: each member is away or resting. */
function checkLowestGaps(scene: Scene, rows: readonly ShiftRow[]): void {
  const { records, stages, restMs, at } = situationOf(scene);
  for (const gap of rows.filter(({ stage, userId }) => stage === 1 && userId === null)) {
    for (const { userId } of stages[0]?.members ?? []) {
      const away = (records.get(userId) ?? []).some(
        (record) => record.type === 'hard_unavailable' && overlap(record, served(gap, at)),
      );
      const near = { from: gap.from - restMs, to: gap.to + restMs };
      const busy = rows.some((row) => row.stage === 1 && row.userId === userId && overlap(row, near));
      assert.ok(away || busy, `${userId} could take the gap`);
    }
  }
}

describe('every plan', () => {
  it('has no holes, no overlaps, and only eligible people', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const rows = planned(scene);
        checkCovered(scene, rows);
        checkAllowed(scene, rows);
        checkLowestGaps(scene, rows);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same for the same input, and does not change when it is made again', () => {
    fc.assert(
      fc.property(scenes, overridden, (scene, overrides) => {
        const withOverrides = { ...scene, overrides };
        const rows = planned(withOverrides);
        const strip = (row: ShiftRow) => ({ ...row, id: '' });
        assert.deepEqual(planned(withOverrides).map(strip), rows.map(strip));
        assert.ok(isUnchanged(revise(situationOf({ ...withOverrides, rows }))));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same when it is made again after overrides, absences or the rest have changed', () => {
    fc.assert(
      fc.property(scenes, changes, (scene, { before, after, later, hours, ...change }) => {
        const windowed = { ...scene, ...(hours ? { windows: hours } : {}) };
        const rows = planned({ ...windowed, overrides: before });
        const at = scene.at + later;
        const then: Scene = { ...windowed, ...change, from: 0, at, to: scene.to + 6, overrides: after };
        const again = (known: readonly ShiftRow[]) => {
          const situation = situationOf({ ...then, rows: known });
          const handoffs = situation.handoffs.filter((day) => day > (at - scene.length) * DAY);
          return revise({ ...situation, handoffs });
        };
        assert.ok(isUnchanged(again(rowsAfter(rows, again(rows)))));
      }),
      { numRuns: 300, examples: ONCE_CHANGED },
    );
  });

  it('takes no published shift from a person who covers another seat', () => {
    const pair = fc.shuffledSubarray(['A', 'B', 'C', 'D'], { minLength: 1 });
    const covers = fc.array(
      fc
        .record(
          { who: fc.constantFrom('A', 'B', 'C', 'D'), seat: fc.constantFrom(1, 2) },
          { requiredKeys: ['who'] },
        )
        .chain((cover) => quarterDays(6).map((from) => ({ ...cover, from, to: from + 0.25 }))),
      { minLength: 1, maxLength: 4 },
    );
    const strategy = fc.constantFrom('rotation' as const, 'fair' as const);
    fc.assert(
      fc.property(strategy, pair, covers, (named, people, overrides) => {
        const scene: Scene = { strategy: named, stages: [people], seats: [2], to: 8 };
        const rows = planned(scene);
        const after = planned({ ...scene, rows, overrides });
        const whose = (list: readonly ShiftRow[]) =>
          list.map(({ seat, planned: shift, plannedUserId }) => `${seat} ${shift?.from} ${plannedUserId}`);
        assert.deepEqual([...new Set(whose(after))].sort(), [...new Set(whose(rows))].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('puts nobody on two seats at once, whatever overrides there are', () => {
    fc.assert(
      fc.property(scenes, apart, quarterDays(6), (scene, overrides, later) => {
        const first = planned({ ...scene, overrides: overrides.slice(0, 2) });
        const at = scene.at + later;
        const then = { ...scene, from: 0, at, to: scene.to + 6, rows: first, overrides };
        const situation = situationOf(then);
        const handoffs = situation.handoffs.filter((day) => day > (at - scene.length) * DAY);
        const rows = rowsAfter(first, revise({ ...situation, handoffs }));
        for (const list of [first.slice(), rows.filter((row) => row.to > at * DAY)])
          for (const [index, row] of list.entries())
            for (const other of list.slice(index + 1))
              assert.ok(
                row.userId === null ||
                  row.userId !== other.userId ||
                  !overlap(row, other) ||
                  // A running shift continues even if an outside override contradicts it.
                  Math.min(row.planned?.from ?? at * DAY, other.planned?.from ?? at * DAY) <= at * DAY,
                `${row.userId} is on two seats at once`,
              );
      }),
      { numRuns: 300 },
    );
  });

  it('does not change running shifts, and continues after them', () => {
    fc.assert(
      fc.property(scenes, quarterDays(5), (scene, later) => {
        const rows = planned(scene);
        const at = scene.at + later;
        const then = { ...scene, from: 0, at, to: scene.to + 6, rows };
        const after = rowsAfter(
          rows,
          revise({
            ...situationOf(then),
            handoffs: situationOf(then).handoffs.filter((day) => day > (at - scene.length) * DAY),
          }),
        );
        for (const row of rows.filter(({ to }) => to <= at * DAY))
          assert.deepEqual(
            after.find(({ id }) => id === row.id),
            row,
            'history is as it was',
          );
        for (const row of rows.filter(({ from, userId }) => from <= at * DAY && userId !== null))
          assert.deepEqual(
            after.find(({ id }) => id === row.id),
            row,
            'the shift under way keeps its person and end',
          );
        for (const [key, shifts] of bySeat(after))
          for (const [index, shift] of shifts.slice(1).entries())
            assert.equal(shift.from, shifts[index]?.to, key);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a rotation', () => {
  it('gives every skipped turn back at the next shift that its owner can take', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const single: Scene = {
          ...scene,
          strategy: 'rotation',
          stages: scene.stages.slice(0, 1),
          seats: [1],
          restHours: 0,
        };
        const { records } = situationOf(single);
        // Pieces of a shared shift go to whoever is available.
        fc.pre(planned(single).every(({ reason }) => !reason?.shared));
        const owed = new Set<string>();
        let before: string | null = null;
        for (const row of planned(single)) {
          const able = [...owed].filter(
            (userId) =>
              userId !== before &&
              !(records.get(userId) ?? []).some(
                (r) => r.type === 'hard_unavailable' && overlap(r, served(row, scene.at * DAY)),
              ),
          );
          if (able.length > 0) assert.equal(row.userId, able[0], 'who waits longest comes first');
          assert.equal(row.reason?.rule === 'owed', row.userId !== null && owed.has(row.userId));
          if (row.reason?.rule === 'owed' && row.userId) owed.delete(row.userId);
          if (row.reason?.rule === 'turn') for (const { user_id } of row.reason.skipped) owed.add(user_id);
          before = row.userId;
        }
      }),
      { numRuns: 500 },
    );
  });
});
