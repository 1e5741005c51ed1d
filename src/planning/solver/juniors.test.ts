import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputOf } from '../../../testing/planning/problems.ts';
import {
  DAY,
  letters,
  planned,
  revise,
  rowsAfter,
  type Scene,
  situationOf,
} from '../../../testing/planning/scene.ts';
import { programsHere } from '../../optimizer/programs.ts';
import { type ApartGroup, apartBecause, apartOf, groupsApart } from '../../schedules/apart.ts';
import { whyNot } from '../gap-text.ts';
import { planInputOf } from '../revision.ts';
import { STRATEGIES } from '../strategies.ts';
import { anonymous } from './anonymous.ts';
import { bestPlan } from './best-plan.ts';
import { contradictionText } from './contradiction-text.ts';
import { solvePlan } from './planning.ts';

const programs = programsHere();
const NAMES = new Map([
  ['A', 'Ada'],
  ['B', 'Ben'],
  ['C', 'Cleo'],
]);
const words = { nameOf: (id: string) => NAMES.get(id) ?? id, timeZone: 'UTC', restMs: 0 };

/** The plan by stage and seat, a letter for each shift: `ACA CBC`. */
async function plan(scene: Scene, juniors: readonly string[]) {
  return planApart(scene, twoOf(juniors));
}

function twoOf(people: readonly string[]): ApartGroup[] {
  return people.length === 0 ? [] : [{ why: 'junior', people }];
}

async function planApart(scene: Scene, apart: readonly ApartGroup[]) {
  const { shifts } = await solvePlan(programs, { ...inputOf(scene), apart });
  const lines = Map.groupBy(shifts, ({ stage, seat }) => `${stage} ${seat}`);
  return {
    shifts,
    lines: [...lines.values()].map((own) => own.map(({ userId }) => userId ?? '.').join('')),
  };
}

describe('never two juniors', () => {
  it('applies to the juniors of a schedule with this setting', () => {
    const people = { B: { level: 'junior' as const }, C: {}, A: { level: 'junior' as const } };
    assert.deepEqual(groupsApart({ neverTwoJuniors: true, people }), twoOf(['A', 'B']));
    assert.deepEqual(groupsApart({ people }), []);
    assert.deepEqual(groupsApart({ neverTwoJuniors: true }), []);
    const groups = apartOf(groupsApart({ neverTwoJuniors: true, people }));
    const apart = ['AB', 'BA', 'AA', 'AC', 'CA', 'CD'].filter(([one = '', other = '']) =>
      apartBecause(groups, one, other),
    );
    assert.deepEqual(apart, ['AB', 'BA']);
  });

  it('gives simultaneous shifts of all stages and seats to at most one junior, and gives the reason', async () => {
    const together = await plan(
      {
        stages: [
          ['A', 'B', 'C'],
          ['A', 'B', 'C'],
        ],
        to: 8,
      },
      ['A', 'B'],
    );
    const [first = '', second = ''] = together.lines;
    for (const day of Array(8).keys()) assert.match(`${first[day]}${second[day]}`, /^([AB]C|C[AB])$/);
    const shift = together.shifts.find(({ userId }) => userId === 'A');
    const other = together.shifts.find(({ from, userId }) => from === shift?.from && userId === 'C');
    const [skipped] = other?.reason?.skipped ?? [];
    // Ada has the other stage, so Ben cannot have this shift.
    const ben = other?.reason?.skipped.find(({ user_id }) => user_id === 'B');
    assert.ok(skipped && ben, JSON.stringify(other));
    assert.deepEqual(ben, { user_id: 'B', because: 'junior', junior: 'A' });
    assert.equal(whyNot(ben, words.nameOf, words), 'Ben cannot: Ada, who is also junior, is on call then');
    const seats = await plan({ stages: [['A', 'B', 'C']], seats: [2], to: 6 }, ['A', 'B']);
    for (const day of Array(6).keys()) assert.ok(seats.lines.some((line) => line[day] === 'C'));
    const anybody = await plan({ stages: [['A', 'B', 'C']], seats: [2], to: 6 }, []);
    assert.ok(anybody.lines.some((line) => line.includes('A')) && !anybody.lines.join('').includes('.'));
  });

  it('leaves a shift open rather than put two juniors on call, and explains the gap', async () => {
    const { shifts, lines } = await plan({ stages: [['A'], ['B']], to: 3 }, ['A', 'B']);
    assert.deepEqual(lines, ['AAA', '...']);
    const [gap] = shifts.filter(({ userId }) => userId === null);
    assert.deepEqual(gap?.contradiction?.obstacles, [{ userId: 'B', because: 'junior', junior: 'A' }]);
    assert.match(
      gap.contradiction ? contradictionText(gap.contradiction, words) : '',
      /^nobody can take stage 2 from 1 January 00:00 to 2 January 00:00: Ben cannot: Ada, who is also junior, is on call then$/,
    );
    assert.deepEqual((await plan({ stages: [['A'], ['B']], to: 3 }, ['B'])).lines, ['AAA', 'BBB']);
  });

  it('counts people put on call by overrides, and takes no published shift because of them', async () => {
    const scene: Scene = {
      strategy: 'fair',
      stages: [
        ['A', 'C'],
        ['B', 'C'],
      ],
      to: 4,
    };
    const overrides = [{ stage: 1, who: 'A', from: 0, to: 4 }];
    // Without a published plan, Ben gets nothing while an override puts Ada on call.
    assert.deepEqual((await plan({ ...scene, overrides }, ['A', 'B'])).lines[1], 'CCCC');
    // An override to Ada, about which its manager was warned, does not take Ben's published shift.
    const rows = planned({ ...scene, stages: [['C'], ['B']] });
    const kept = await plan({ ...scene, rows, overrides }, ['A', 'B']);
    assert.equal(kept.lines[1], 'BBBB');
    // Time that an override takes from Ada does not count as on call.
    const given = [{ stage: 1, who: 'C', from: 0, to: 4 }];
    const alone = await plan({ ...scene, stages: [['A'], ['B']], overrides: given }, ['A', 'B']);
    assert.equal(alone.lines[1], 'BBBB');
  });

  it('moves as few published shifts as possible, and none of a higher stage for a gap', async () => {
    const stages = [
      ['A', 'C'],
      ['B', 'C'],
    ];
    const rows = planned({ strategy: 'fair', stages: [['A'], ['B']], to: 4 });
    const { lines } = await plan({ strategy: 'fair', stages, rows, to: 4 }, ['A', 'B']);
    const moved = [...'AAAABBBB'].filter((who, index) => lines.join('')[index] !== who);
    // Running shifts stay.
    assert.equal(moved.length, 3, lines.join(' '));
    for (const day of [1, 2, 3])
      assert.ok(
        lines.some((line) => line[day] === 'C'),
        lines.join(' '),
      );
    const gaps = planned({ strategy: 'fair', stages: [['C'], ['B']], away: { C: [[0, 4]] }, to: 4 });
    const filled = await plan({ strategy: 'fair', stages, rows: gaps, away: { C: [[0, 4]] }, to: 4 }, [
      'A',
      'B',
    ]);
    assert.deepEqual(filled.lines, ['....', 'BBBB']);
  });

  it('keeps apart any two people whom the schedule names, each pair by itself, and gives the reason', async () => {
    const people = { A: { level: 'junior' as const }, B: { level: 'junior' as const } };
    assert.deepEqual(
      groupsApart({ neverTwoJuniors: true, neverTogether: [['C', 'A']], people }).map(({ why }) => why),
      ['junior', 'apart'],
    );
    const pairs: ApartGroup[] = [
      ['A', 'B'],
      ['B', 'C'],
    ].map((two) => ({ why: 'apart', people: two }));
    const stages = [
      ['A', 'B', 'C'],
      ['A', 'B', 'C'],
    ];
    const { lines, shifts } = await planApart({ stages, to: 6 }, pairs);
    // Only Ada and Cleo may be on call together.
    for (const day of Array(6).keys())
      assert.match(`${lines[0]?.[day]}${lines[1]?.[day]}`, /^(AC|CA)$/, lines.join(' '));
    const why = shifts.flatMap(({ reason }) => reason?.skipped ?? []).find(({ user_id }) => user_id === 'B');
    assert.equal(why?.because, 'apart');
    assert.match(
      whyNot(why, words.nameOf, words),
      /^Ben cannot: (Ada|Cleo) is on call then, and the two are never on call together$/,
    );
    const open = await planApart({ stages: [['A'], ['B']], to: 2 }, pairs);
    assert.deepEqual(open.lines, ['AA', '..']);
    const [gap] = open.shifts.filter(({ userId }) => userId === null);
    assert.deepEqual(gap?.contradiction?.obstacles, [{ userId: 'B', because: 'apart', other: 'A' }]);
    const input = { ...inputOf({ stages: [['B'], ['A']], to: 2 }), apart: pairs };
    const { input: nameless, named } = anonymous(input);
    const { shifts: back } = await solvePlan(programs, nameless);
    assert.deepEqual(named(back).find(({ userId }) => userId === null)?.reason?.skipped, [
      { user_id: 'A', because: 'apart', other: 'B' },
    ]);
  });

  it('applies to a rotation, which gives a skipped junior the turn back', () => {
    const situation = {
      ...situationOf({ stages: [['A', 'B', 'C']], seats: [2], to: 9 }),
      apart: twoOf(['A', 'B']),
    };
    const rows = rowsAfter([], revise(situation));
    const lines = [letters(rows, 1, 1), letters(rows, 1, 2)];
    for (const day of Array(9).keys()) {
      const who = lines.map((line) => line[day]).sort();
      assert.match(who.join(''), /^[AB]C$/, lines.join(' '));
    }
    const shifts = STRATEGIES.rotation.plan(planInputOf(situation));
    const skipped = shifts.flatMap(({ reason }) => reason?.skipped ?? []);
    assert.ok(
      skipped.some(({ because, junior }) => because === 'junior' && (junior === 'A' || junior === 'B')),
      JSON.stringify(skipped),
    );
    assert.deepEqual(revise({ ...situation, rows }).difference, { added: [], changed: [], removed: [] });
    // The only senior is left to the stage that has nobody else.
    const two = {
      ...situationOf({
        stages: [
          ['A', 'C'],
          ['B', 'A'],
        ],
        to: 4,
      }),
      apart: twoOf(['A', 'B']),
    };
    const both = rowsAfter([], revise(two));
    assert.doesNotMatch(letters(both, 1) + letters(both, 2), /\./);
  });

  it('shares a shift at the times when another junior begins or ends', async () => {
    const scene: Scene = {
      ...{ strategy: 'fair', stages: [['A'], ['B']], to: 1 },
      overrides: [
        { stage: 1, who: 'C', from: 0, to: 0.5 },
        { stage: 1, who: 'A', from: 0.5, to: 1 },
      ],
    };
    const { shifts } = await bestPlan(programs, { ...inputOf(scene), apart: twoOf(['A', 'B']) });
    const above = shifts.filter(({ stage }) => stage === 2);
    assert.deepEqual(
      above.map(({ from, to, userId }) => [from / DAY, to / DAY, userId]),
      [
        [0, 0.5, 'B'],
        [0.5, 1, null],
      ],
    );
  });

  it('is planned without names, which return with the reasons', async () => {
    const input = { ...inputOf({ stages: [['B'], ['A']], to: 2 }), apart: twoOf(['A', 'B', 'Z']) };
    const { input: nameless, key, named } = anonymous(input);
    assert.doesNotMatch(JSON.stringify({ ...nameless, records: [], elsewhere: [] }), /"[ABZ]"/);
    assert.notEqual(key, anonymous({ ...input, apart: [] }).key);
    const { shifts } = await solvePlan(programs, nameless);
    const gap = named(shifts).find(({ userId }) => userId === null);
    assert.deepEqual(gap?.reason?.skipped, [{ user_id: 'A', because: 'junior', junior: 'B' }]);
    assert.deepEqual(gap?.reason?.contradiction?.obstacles, [
      { userId: 'A', because: 'junior', junior: 'B' },
    ]);
  });
});
