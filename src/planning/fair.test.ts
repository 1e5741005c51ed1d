import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY, letters, planned, revise, rowsAfter, situationOf } from '../../testing/planning/scene.ts';

const fairly = { strategy: 'fair' as const };
const count = (text: string, who: string) => text.split(who).length - 1;

describe('fair shares', () => {
  it('rotate when everybody is present', () => {
    assert.equal(letters(planned({ ...fairly, stages: [['A', 'B', 'C']], to: 7 })), 'ABCABCA');
  });

  it('are counted across all stages', () => {
    const rows = planned({
      ...fairly,
      stages: [
        ['A', 'B'],
        ['A', 'B', 'C'],
      ],
      to: 30,
    });
    const both = letters(rows) + letters(rows, 2);
    for (const who of ['A', 'B', 'C']) assert.ok(Math.abs(count(both, who) - 20) <= 1, both);
  });

  it('are proportional to the time that each person was present', () => {
    const rows = planned({ ...fairly, stages: [['A', 'B', 'C']], away: { A: [[10, 40]] }, to: 60 });
    const text = letters(rows);
    // A is present for 30 days, the others for 60: shares of one fifth and two fifths.
    assert.ok(Math.abs(count(text, 'A') - 12) <= 2, text);
    assert.ok(Math.abs(count(text, 'B') - count(text, 'C')) <= 2, text);
    assert.ok(count(text.slice(40, 52), 'A') <= 5, 'who comes back has little to make up for');
  });

  it('count from the day on which a person joined', () => {
    const rows = planned({ ...fairly, stages: [['A', 'B']], to: 30 });
    const situation = situationOf({
      ...fairly,
      stages: [['A', 'B', 'C']],
      plannedWith: [['A', 'B']],
      rows,
      at: 20,
      from: 20,
      to: 50,
    });
    const joined = situation.stages.map((stage) => ({
      ...stage,
      members: stage.members.map((member) =>
        member.userId === 'C'
          ? { ...member, joinedAt: 20 * DAY, sharesFrom: 30 * DAY }
          : { ...member, joinedAt: 0 },
      ),
    }));
    const text = letters(rowsAfter(rows, revise({ ...situation, stages: joined })));
    assert.equal(text.slice(0, 30), letters(rows), 'what is published stands');
    assert.ok(Math.abs(count(text.slice(30), 'C') - 7) <= 1, text);
    assert.doesNotMatch(text, /CC/);
  });

  it('ignore what a person had before they joined again', () => {
    const rows = planned({ ...fairly, stages: [['A', 'B', 'C']], to: 30 });
    const situation = situationOf({ ...fairly, stages: [['A', 'B', 'C']], rows, at: 30, from: 30, to: 60 });
    const stages = situation.stages.map((stage) => ({
      ...stage,
      members: stage.members.map((member) => ({ ...member, joinedAt: member.userId === 'C' ? 30 * DAY : 0 })),
    }));
    const text = letters(rowsAfter(rows, revise({ ...situation, stages }))).slice(30);
    assert.ok(Math.abs(count(text, 'C') - 10) <= 3, text);
  });

  it('respect preferences within bounds', () => {
    const wishes = [
      { who: 'A', type: 'soft_unavailable' as const, from: 0, to: 1 },
      { who: 'D', type: 'requested' as const, from: 2, to: 3 },
    ];
    const text = letters(planned({ ...fairly, stages: [['A', 'B', 'C', 'D']], wishes, to: 4 }));
    assert.equal(text, 'BADC');
    const forever = [{ who: 'A', type: 'soft_unavailable' as const, from: 0, to: 100 }];
    const all = letters(planned({ ...fairly, stages: [['A', 'B']], wishes: forever, to: 60 }));
    assert.ok(count(all, 'A') >= 25, 'nobody can wish for nothing');
  });

  it('differ by at most one shift, whatever the members', () => {
    const crew = fc.shuffledSubarray(['A', 'B', 'C', 'D', 'E'], { minLength: 1 });
    fc.assert(
      fc.property(crew, fc.integer({ min: 5, max: 60 }), (members, to) => {
        const text = letters(planned({ ...fairly, stages: [members], to }));
        const counts = members.map((who) => count(text, who));
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, text);
      }),
    );
  });
});
