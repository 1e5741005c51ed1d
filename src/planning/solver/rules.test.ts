import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bruteForce, inputOf } from '../../../testing/planning/problems.ts';
import { DAY, type Scene } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import { programsHere } from '../../optimizer/programs.ts';
import { type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import { costsOf } from './costs.ts';
import { solvePlan } from './planning.ts';
import { type ProblemInput, problemOf } from './problem.ts';

const programs = programsHere();

function inputWith(
  scene: Scene,
  rules: Partial<PlanRules>,
  elsewhere: ProblemInput['elsewhere'] = new Map(),
) {
  return { ...inputOf(scene), rules: { ...USUAL_RULES, ...rules }, elsewhere };
}

async function letters(input: ProblemInput): Promise<string> {
  const { shifts } = await solvePlan(programs, input);
  return shifts.map(({ userId }) => userId ?? '.').join('');
}

describe('the settings of a schedule for its plans', () => {
  it('limit the shifts of one person in a week and a month, and give this reason for gaps', async () => {
    // Day 0 is a Thursday: four days of the first week, seven of the next.
    const week = { shiftsPerWeek: 1, shiftsPerMonth: null };
    const input = inputWith({ stages: [['A', 'B']], to: 11 }, { limits: week });
    const { shifts } = await solvePlan(programs, input);
    for (const [from, to] of [
      [0, 4],
      [4, 11],
    ] as const) {
      const own = shifts.filter((shift) => shift.from >= from * DAY && shift.from < to * DAY);
      assert.deepEqual(own.flatMap(({ userId }) => userId ?? []).sort(), ['A', 'B']);
    }
    const gap = shifts.find(({ userId }) => userId === null);
    assert.deepEqual(
      gap?.contradiction?.obstacles.map(({ userId, because }) => `${userId} ${because}`).sort(),
      ['A limit', 'B limit'],
    );
    const month = { shiftsPerWeek: null, shiftsPerMonth: 3 };
    const text = await letters(inputWith({ stages: [['A', 'B']], to: 10 }, { limits: month }));
    assert.equal(text.replaceAll('.', '').length, 6, text);
  });

  it('find the cheapest plan within limits and beside shifts elsewhere, and prove it', async () => {
    const scenes = fc.sample(smallScenes, { numRuns: 30, seed: 6 });
    for (const [index, scene] of scenes.entries()) {
      const limits = { shiftsPerWeek: 1 + (index % 3), shiftsPerMonth: index % 2 ? 3 : null };
      const elsewhere = new Map([['A', [{ from: DAY, to: 2.5 * DAY, schedule: 'Web' }]]]);
      const input = inputWith(scene, { limits, elsewhere: index % 2 ? 'avoid' : 'never' }, elsewhere);
      const problem = problemOf(input);
      const { terms, gap } = await solvePlan(programs, input);
      const told = JSON.stringify({ ...scene, limits });
      assert.equal(
        compareCosts(
          costsOf(problem, terms),
          bruteForce(problem, () => limits),
        ),
        0,
        told,
      );
      assert.equal(gap, 0, told);
    }
  });

  it('give people as much of the load as their share', async () => {
    const scene = inputWith({ stages: [['A', 'B', 'C']], to: 25 }, {});
    const ofHalf = (userId: string, from: number): ProblemInput => ({
      ...scene,
      stages: scene.stages.map((stage) => ({
        ...stage,
        members: stage.members.map((member) =>
          member.userId === userId ? { ...member, share: [{ from, percent: 50 }] } : member,
        ),
      })),
    });
    const counted = (text: string) => ['A', 'B', 'C'].map((one) => text.split(one).length - 1);
    assert.deepEqual(counted(await letters(ofHalf('B', 0))), [10, 5, 10]);
    // From the middle on: 25 shifts for 25 + 25 + 18.75 days of whole shares.
    const half = counted(await letters(ofHalf('B', 12.5 * DAY)));
    assert.equal(half[1], 7, String(half));
    // After the plan, so nothing differs yet.
    const [, later = 0] = counted(await letters(ofHalf('B', 26 * DAY)));
    assert.ok(later === 8 || later === 9, String(later));
  });

  it('avoid people who have a shift elsewhere, and exclude those who never take the time', async () => {
    const elsewhere = new Map([['A', [{ from: 0, to: 2 * DAY, schedule: 'Web' }]]]);
    const two = { stages: [['A', 'B']], to: 2 };
    assert.equal(await letters(inputWith(two, { elsewhere: 'avoid' }, elsewhere)), 'BB');
    assert.match(await letters(inputWith(two, { elsewhere: 'allow' }, elsewhere)), /AB|BA/);
    const alone = { stages: [['A']], to: 3 };
    assert.equal(await letters(inputWith(alone, { elsewhere: 'avoid' }, elsewhere)), 'AAA');
    assert.equal(await letters(inputWith(alone, { elsewhere: 'never' }, elsewhere)), '..A');
    const { shifts } = await solvePlan(programs, inputWith(alone, { elsewhere: 'never' }, elsewhere));
    assert.deepEqual(shifts[0]?.reason?.skipped, [
      { user_id: 'A', because: 'elsewhere', elsewhere: { schedule: 'Web', until: 2 * DAY } },
    ]);
  });

  it('weigh nights, weekends and holidays as configured', async () => {
    // Days 2 and 3 are a weekend. A asked for it, but a usual weight outweighs that only in part.
    const wishes = [{ who: 'A', type: 'requested' as const, from: 2, to: 4 }];
    const scene = { stages: [['A', 'B']], wishes, to: 14 };
    const weekends = async (weekend: number) => {
      const text = await letters(inputWith(scene, { weights: { ...USUAL_RULES.weights, weekend } }));
      return [2, 3, 9, 10].filter((day) => text[day] === 'A').length;
    };
    assert.equal(await weekends(10), 2);
    const { shifts, terms } = await solvePlan(
      programs,
      inputWith(scene, { weights: { ...USUAL_RULES.weights, weekend: 0 } }),
    );
    assert.equal(shifts.length, 14);
    assert.ok(terms.shares < 5);
  });
});
