import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { letters, planned } from '../../testing/planning/scene.ts';

describe('a rotation', () => {
  it('keeps the order of its members', () => {
    assert.equal(letters(planned({ stages: [['A', 'B', 'C']], to: 9 })), 'ABCABCABC');
  });

  it('skips people who are away, makes up the turn at once, and continues in the old order', () => {
    const rows = planned({ stages: [['A', 'B', 'C', 'D']], away: { C: [[2.5, 2.6]] }, to: 12 });
    assert.equal(letters(rows), 'ABDCABCDABCD');
    assert.deepEqual(rows[2]?.reason, { rule: 'turn', skipped: [{ user_id: 'C', because: 'unavailable' }] });
    assert.deepEqual(rows[3]?.reason, { rule: 'owed', skipped: [] });
  });

  it('gives a turn back at the next possible shift, and only one after a long absence', () => {
    const rows = planned({ stages: [['A', 'B', 'C']], away: { A: [[3, 10]] }, to: 18 });
    assert.equal(letters(rows), 'ABCBCBCBCBACABCABC');
  });

  it('gives a turn back in addition to the next regular one, not instead of it', () => {
    const rows = planned({ stages: [['A', 'B', 'C']], away: { A: [[3, 5]] }, to: 12 });
    assert.equal(letters(rows), 'ABCBCABACABC');
    assert.deepEqual([rows[5]?.reason?.rule, rows[7]?.reason?.rule], ['owed', 'owed']);
    assert.deepEqual(rows[6]?.reason?.skipped, [{ user_id: 'A', because: 'rest' }]);
  });

  it('avoids two shifts in a row where somebody else can', () => {
    assert.equal(letters(planned({ stages: [['A', 'B']], away: { A: [[2, 3]] }, to: 8 })), 'ABBABABA');
  });

  it('continues where the planned rows end', () => {
    const rows = planned({ stages: [['A', 'B', 'C']], away: { B: [[4, 5]] }, to: 5 });
    assert.equal(letters(rows), 'ABCAC');
    const longer = planned({ stages: [['A', 'B', 'C']], away: { B: [[4, 5]] }, to: 11, rows });
    assert.equal(letters(longer), 'ABCACBABCAB', 'B gets the fifth day back first');
  });

  it('leaves a gap that is nobody’s turn when nobody can take the shift', () => {
    const rows = planned({ stages: [['A', 'B']], away: { A: [[2, 3]], B: [[2, 3]] }, to: 6 });
    assert.equal(letters(rows), 'AB.ABA');
    assert.deepEqual(rows[2]?.reason, {
      rule: 'nobody',
      skipped: [
        { user_id: 'A', because: 'unavailable' },
        { user_id: 'B', because: 'unavailable' },
      ],
    });
    assert.equal(letters(planned({ stages: [[]], to: 3 })), '...');
  });

  it('puts several people on call at once, and nobody twice', () => {
    const rows = planned({ stages: [['A', 'B', 'C']], seats: [2], to: 6 });
    assert.equal(letters(rows, 1, 1), 'ACBACB');
    assert.equal(letters(rows, 1, 2), 'BACBAC');
    assert.equal(letters(planned({ stages: [['A']], seats: [2], to: 2 }), 1, 2), '..');
  });

  it('owes nothing to the person on the other seat', () => {
    const rows = planned({ stages: [['A', 'B', 'C']], seats: [2], away: { A: [[0, 1]] }, to: 2 });
    const second = rows.filter(({ from }) => from > 0);
    assert.deepEqual(
      second.map(({ userId, reason }) => [userId, reason?.rule, reason?.skipped]),
      [
        ['A', 'owed', []],
        ['B', 'turn', []],
      ],
    );
  });
});

describe('rest', () => {
  it('is kept between two shifts of one person', () => {
    const rows = planned({ stages: [['A', 'B']], restHours: 48, to: 6 });
    assert.equal(letters(rows), 'AB.AB.');
    assert.deepEqual(
      rows[2]?.reason?.skipped.map(({ because }) => because),
      ['rest', 'rest'],
    );
  });

  it('is not required of a person with nobody to alternate with', () => {
    assert.equal(letters(planned({ stages: [['A', 'B'], ['C']], restHours: 24, to: 4 }), 2), 'CCCC');
  });

  it('counts across stages, the lower stage first', () => {
    const rows = planned({
      stages: [
        ['A', 'B', 'C'],
        ['A', 'B', 'C'],
      ],
      restHours: 24,
      to: 6,
    });
    assert.equal(letters(rows), 'ABCABC');
    assert.equal(letters(rows, 2), 'C....A', 'in between, whoever is free has stage 1 right before or after');
  });
});

describe('several stages', () => {
  it('never give one person two seats at the same time', () => {
    const rows = planned({
      stages: [
        ['A', 'B', 'C'],
        ['A', 'B', 'C'],
      ],
      to: 6,
    });
    assert.equal(letters(rows), 'ABCABC');
    assert.equal(letters(rows, 2), 'BABCAB');
  });

  it('leave the gap to the higher stage when only one person is available', () => {
    const rows = planned({ stages: [['A'], ['A']], to: 3 });
    assert.deepEqual([letters(rows), letters(rows, 2)], ['AAA', '...']);
    assert.deepEqual(rows.at(-1)?.reason?.skipped, [{ user_id: 'A', because: 'busy' }]);
  });

  it('leave a person to the stage that has nobody else', () => {
    const rows = planned({ stages: [['A', 'B'], ['A'], ['C', 'B']], to: 4 });
    assert.deepEqual([letters(rows), letters(rows, 2), letters(rows, 3)], ['BBBB', 'AAAA', 'CCCC']);
    assert.deepEqual(rows[0]?.reason?.skipped, [{ user_id: 'A', because: 'needed' }]);
  });

  it('assign as many people as possible', () => {
    const chain = planned({ stages: [['B', 'A'], ['B', 'C'], ['B']], to: 3 });
    assert.deepEqual(
      [1, 2, 3].map((stage) => letters(chain, stage)),
      ['AAA', 'CCC', 'BBB'],
    );
    const pair = planned({
      stages: [
        ['A', 'B', 'C'],
        ['A', 'B'],
        ['A', 'B'],
      ],
      to: 2,
    });
    assert.deepEqual(
      [1, 2, 3].map((stage) => letters(pair, stage)),
      ['CC', 'AB', 'BA'],
    );
  });
});
