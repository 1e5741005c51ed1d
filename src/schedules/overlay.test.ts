import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY, planned, type Scene } from '../../testing/planning/scene.ts';
import type { ShiftRow } from './difference.ts';

const pieces = (rows: readonly ShiftRow[]) =>
  rows.map(({ userId, plannedUserId, from, to }) => [userId, plannedUserId, from / DAY, to / DAY]);

describe('overrides', () => {
  const stages = [['A', 'B']];

  it('cut the planned shift at their bounds and keep the planned person', () => {
    const rows = planned({ stages, length: 7, to: 14, overrides: [{ who: 'C', from: 2, to: 3 }] });
    assert.deepEqual(pieces(rows), [
      ['A', 'A', 0, 2],
      ['C', 'A', 2, 3],
      ['A', 'A', 3, 7],
      ['B', 'B', 7, 14],
    ]);
    assert.deepEqual(
      rows.map(({ overrideId }) => overrideId),
      [null, 'override_0', null, null],
    );
    assert.deepEqual(new Set(rows.slice(0, 3).map(({ planned: shift }) => shift?.to)), new Set([7 * DAY]));
  });

  it('extend across hand-offs, over gaps and beyond the plan', () => {
    const away = { A: [[0, 7]], B: [[0, 7]] } as const;
    const rows = planned({ stages, away, length: 7, to: 7, overrides: [{ who: 'C', from: 6, to: 16 }] });
    assert.deepEqual(pieces(rows), [
      [null, null, 0, 6],
      ['C', null, 6, 7],
      ['C', null, 7, 16],
    ]);
    const later = planned({
      stages,
      away,
      length: 7,
      to: 14,
      rows,
      overrides: [{ who: 'C', from: 6, to: 16 }],
    });
    assert.deepEqual(pieces(later), [
      [null, null, 0, 6],
      ['C', null, 6, 7],
      ['C', 'A', 7, 14],
      ['C', null, 14, 16],
    ]);
  });

  it('give way to newer ones while both last', () => {
    const overrides = [
      { id: 'override_1', who: 'C', from: 1, to: 5 },
      { id: 'override_2', who: 'D', from: 4, to: 6 },
      { id: 'override_0', who: 'E', from: 0, to: 2 },
    ];
    assert.deepEqual(pieces(planned({ stages, length: 7, to: 7, overrides })), [
      ['E', 'A', 0, 1],
      ['C', 'A', 1, 4],
      ['D', 'A', 4, 6],
      ['A', 'A', 6, 7],
    ]);
  });

  it('take the seat of their own person, otherwise the first free one', () => {
    const overrides = [
      { who: 'B', from: 0, to: 1 },
      { who: 'C', from: 0, to: 1 },
    ];
    assert.deepEqual(pieces(planned({ stages, seats: [2], to: 1, overrides })), [
      ['C', 'A', 0, 1],
      ['B', 'B', 0, 1],
    ]);
  });

  it("lose their seat to a newer one that names it, and take no other person's seat instead", () => {
    const overrides = [
      { id: 'override_1', who: 'C', from: 0, to: 2 },
      { id: 'override_2', seat: 1, who: 'D', from: 1, to: 2 },
    ];
    assert.deepEqual(pieces(planned({ stages, seats: [2], length: 2, to: 2, overrides })), [
      ['C', 'A', 0, 1],
      ['D', 'A', 1, 2],
      ['B', 'B', 0, 2],
    ]);
    const own = [
      { id: 'override_1', who: 'B', from: 0, to: 1 },
      { id: 'override_2', seat: 2, who: 'C', from: 0, to: 1 },
    ];
    assert.deepEqual(pieces(planned({ stages, seats: [2], to: 1, overrides: own })), [
      ['A', 'A', 0, 1],
      ['C', 'B', 0, 1],
    ]);
  });

  it('leave the others on their seats', () => {
    const rows = planned({ stages, seats: [2], to: 1, overrides: [{ who: 'B', from: 0, to: 1 }] });
    assert.deepEqual(pieces(rows), [
      ['A', 'A', 0, 1],
      ['B', 'B', 0, 1],
    ]);
  });

  it('show when the plan below them changes', () => {
    const overrides = [{ who: 'C', from: 7, to: 14 }];
    const rows = planned({ stages, length: 7, to: 21, overrides });
    const after = planned({ stages, length: 7, to: 21, overrides, rows, away: { B: [[8, 9]] } });
    assert.deepEqual(pieces(after)[1], ['C', 'A', 7, 14]);
    assert.equal(after[1]?.id, rows[1]?.id);
  });

  it('that have ended stay in the past when the plan catches up with them', () => {
    const overrides = [{ who: 'C', from: 5, to: 6 }];
    const rows = planned({ stages, length: 5, to: 5, overrides });
    const after = planned({ stages, length: 7, from: 0, at: 6.5, to: 7, rows });
    assert.deepEqual(pieces(after), [
      ['A', 'A', 0, 5],
      ['C', null, 5, 6],
      ['B', 'B', 6, 7],
    ]);
    assert.deepEqual(after[2]?.planned, { from: 5 * DAY, to: 7 * DAY });
  });

  it('can begin within the current shift; when they are removed, it is whole again', () => {
    const rows = planned({ stages, length: 7, to: 14 });
    const cut = planned({
      stages,
      length: 7,
      to: 14,
      at: 2,
      from: 0,
      rows,
      overrides: [{ who: 'C', from: 1, to: 3 }],
    });
    assert.deepEqual(pieces(cut), [
      ['A', 'A', 0, 2],
      ['C', 'A', 2, 3],
      ['A', 'A', 3, 7],
      ['B', 'B', 7, 14],
    ]);
    assert.equal(cut[0]?.id, rows[0]?.id);
    const early = planned({
      stages,
      length: 7,
      to: 14,
      at: 0.5,
      from: 0,
      rows,
      overrides: [{ who: 'C', from: 4, to: 5 }],
    });
    const back = planned({ stages, length: 7, to: 14, at: 0.5, from: 0, rows: early });
    assert.deepEqual(back, rows);
    const ended = planned({ stages, length: 7, to: 14, at: 2.5, from: 0, rows: cut });
    assert.deepEqual(pieces(ended).slice(0, 3), [
      ['A', 'A', 0, 2],
      ['C', 'A', 2, 2.5],
      ['A', 'A', 2.5, 7],
    ]);
  });

  it('never change the plan, and apply for exactly their time', () => {
    const override = fc
      .tuple(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 30 }))
      .map(([who, from, length]) => ({ who, from: from / 4, to: (from + length) / 4 }));
    fc.assert(
      fc.property(
        fc.array(override, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (overrides, length) => {
          const scene: Scene = { stages, length, to: 12 };
          const plain = planned(scene);
          const rows = planned({ ...scene, overrides });
          for (let moment = 0; moment < 12; moment += 0.25) {
            const at = (list: readonly ShiftRow[]) =>
              list.filter(({ from, to }) => from <= moment * DAY && moment * DAY < to);
            const newest = overrides.findLast(({ from, to }) => from <= moment && moment < to);
            const [row, ...more] = at(rows);
            assert.equal(more.length, 0, 'one at a time');
            assert.equal(row?.plannedUserId, at(plain)[0]?.userId);
            assert.equal(row?.userId, newest?.who ?? row?.plannedUserId);
          }
          assert.deepEqual(
            pieces(planned({ ...scene, rows, at: 0 })),
            pieces(plain),
            'without them all is as before',
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
