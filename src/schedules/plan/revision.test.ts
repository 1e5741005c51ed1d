import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ShiftRow } from './difference.ts';
import { overlap, type Span } from './planner.ts';
import { DAY, isUnchanged, planned, revise, rowsAfter, type Scene, situationOf } from './testing.ts';
import { person, quarterDays, scenes, span } from './testing-scenes.ts';

const overridden = fc.array(
  fc
    .record({ who: person, stage: fc.integer({ min: 1, max: 3 }) })
    .chain((who) => span.map((when) => ({ ...who, ...when }))),
  { minLength: 1, maxLength: 4 },
);

/** Overrides of which no two have one person at once. */
const apart = overridden.map((overrides) =>
  overrides.filter(
    (one, index) => !overrides.slice(0, index).some((other) => other.who === one.who && overlap(one, other)),
  ),
);

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

/** The part of a shift that is still to be served. */
const served = (row: ShiftRow, at: number): Span => ({ from: Math.max(row.from, at), to: row.to });

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
      const standing = row.stage === other.stage && (stage?.members.length ?? 0) <= (stage?.seats ?? 1);
      if (!standing && other.from >= row.to) assert.ok(other.from - row.to >= restMs, 'rest is kept');
    }
  }
}

/** A gap in the lowest stage is nobody's choice: each member is away, or rests. */
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
  it('has no hole, no overlap and only people who can', () => {
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

  it('is the same for the same input, and nothing changes when it is made again', () => {
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

  it('has nobody on two seats at once, whatever overrides there are', () => {
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
                  // What has begun goes on, also where an override from outside contradicts it.
                  Math.min(row.planned?.from ?? at * DAY, other.planned?.from ?? at * DAY) <= at * DAY,
                `${row.userId} is on two seats at once`,
              );
      }),
      { numRuns: 300 },
    );
  });

  it('leaves alone what has begun, and goes on from there', () => {
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
        // Pieces of a shared shift are given to whoever is there.
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
