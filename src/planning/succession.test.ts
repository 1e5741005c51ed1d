import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY, letters, planned } from '../../testing/planning/scene.ts';

describe('when the members change', () => {
  const rows = planned({ stages: [['A', 'B', 'C'], ['X']], to: 6 });

  it('published shifts stay, and the rotation continues after them', () => {
    const joined = planned({
      stages: [['A', 'B', 'C', 'D'], ['X']],
      plannedWith: [['A', 'B', 'C'], ['X']],
      at: 1.5,
      from: 1,
      to: 8,
      rows,
    });
    assert.equal(letters(joined), 'ABCABCDA');
    const left = planned({
      stages: [['A', 'C'], ['X']],
      plannedWith: [['A', 'B', 'C'], ['X']],
      at: 0.5,
      to: 6,
      rows,
    });
    assert.equal(letters(left), 'ACCACC');
  });

  it('a new order counts from the first unpublished shift', () => {
    const turned = planned({
      stages: [['C', 'B', 'A'], ['X']],
      plannedWith: [['A', 'B', 'C'], ['X']],
      at: 0.5,
      to: 9,
      rows,
    });
    assert.equal(letters(turned), 'ABCABCBAC');
  });

  it('fair shares do not depend on the order', () => {
    const scene = { strategy: 'fair' as const, to: 6 };
    const fair = planned({ ...scene, stages: [['A', 'B', 'C']] });
    const reordered = planned({
      ...scene,
      stages: [['C', 'B', 'A']],
      plannedWith: [['A', 'B', 'C']],
      rows: fair,
    });
    assert.deepEqual(reordered, fair);
  });

  it('the person on a removed seat can take another one at once', () => {
    const two = planned({ stages: [['A', 'B']], seats: [2], length: 7, to: 7 });
    const one = planned({
      stages: [['B']],
      plannedWith: [['A', 'B']],
      length: 7,
      at: 1,
      from: 0,
      to: 7,
      rows: two,
    });
    assert.deepEqual(
      one.map(({ seat, userId, from, to }) => [seat, userId, from / DAY, to / DAY]),
      [
        [1, 'A', 0, 1],
        [1, 'B', 1, 7],
        [2, 'B', 0, 1],
      ],
    );
  });

  it('a person who leaves is off call at once', () => {
    const left = planned({
      stages: [['B', 'C'], ['X']],
      plannedWith: [['A', 'B', 'C'], ['X']],
      at: 0.5,
      to: 4,
      rows,
    });
    assert.deepEqual(
      left
        .filter(({ stage }) => stage === 1)
        .map(({ userId, from, to }) => [userId, from / DAY, to / DAY])
        .slice(0, 3),
      [
        ['A', 0, 0.5],
        ['C', 0.5, 1],
        ['B', 1, 2],
      ],
    );
  });

  it('the shift of a person who left ended at that time', () => {
    const left = planned({
      stages: [['B', 'C'], ['X']],
      plannedWith: [['A', 'B', 'C'], ['X']],
      at: 0.5,
      to: 4,
      rows,
    });
    assert.deepEqual(left[0]?.planned, { from: 0, to: DAY / 2 });
    assert.deepEqual(left[1]?.planned, { from: DAY / 2, to: DAY });
  });

  it('a running gap is filled as soon as somebody is available', () => {
    const empty = planned({ stages: [[]], to: 3, at: 0.25 });
    assert.equal(letters(empty), '...');
    const filled = planned({ stages: [['A']], plannedWith: [[]], to: 3, at: 0.5, rows: empty });
    assert.deepEqual(
      filled.map(({ userId, from, to }) => [userId, from / DAY, to / DAY]),
      [
        [null, 0, 0.5],
        ['A', 0.5, 1],
        ['A', 1, 2],
        ['A', 2, 3],
      ],
    );
  });

  it('a removed stage ends now', () => {
    const after = planned({ stages: [['A', 'B', 'C']], at: 1.5, from: 1, to: 6, rows });
    assert.deepEqual(
      after.filter(({ stage }) => stage === 2).map(({ from, to }) => [from / DAY, to / DAY]),
      [
        [0, 1],
        [1, 1.5],
      ],
    );
  });
});

describe('when the pattern changes', () => {
  const rows = planned({ stages: [['A', 'B', 'C', 'D']], length: 7, to: 28 });

  it('the current shift keeps its end, and later ones stay with the person who had most of their time', () => {
    const daily = planned({ stages: [['A', 'B', 'C', 'D']], length: 1, at: 2.5, from: 2, to: 16, rows });
    assert.equal(letters(daily), 'ABBBBBBBCC');
    assert.deepEqual(daily.map(({ from, to }) => [from / DAY, to / DAY]).slice(0, 3), [
      [0, 7],
      [7, 8],
      [8, 9],
    ]);
  });

  it('a short remainder before the next hand-off is not a separate shift', () => {
    // Hand-offs move by a day: from day 7 to days 8, 15, 22.
    const moved = planned({ stages: [['A', 'B', 'C']], length: 7, at: 2.5, from: 1, to: 22, rows });
    assert.deepEqual(
      moved.map(({ userId, from, to }) => [userId, from / DAY, to / DAY]),
      [
        ['A', 0, 7],
        ['B', 7, 15],
        ['C', 15, 22],
      ],
    );
  });
});
