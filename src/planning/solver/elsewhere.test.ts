import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bruteForce, inputOf } from '../../../testing/planning/problems.ts';
import { DAY, planned, type Scene } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { ElsewhereShift } from '../../schedules/elsewhere.ts';
import type { Limits } from '../../schedules/limits.ts';
import { type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import { rotation } from '../rotation.ts';
import { costsOf } from './costs.ts';
import { solvePlan } from './planning.ts';
import { type ProblemInput, problemOf } from './problem.ts';

const programs = programsHere();
type Span = readonly [from: number, to: number];

/** A schedule whose people also have shifts in Web, in days. */
function beside(scene: Scene, elsewhere: Record<string, readonly Span[]>, rules: Partial<PlanRules> = {}) {
  const shifts = Object.entries(elsewhere).map(([who, spans]): [string, ElsewhereShift[]] => [
    who,
    spans.map(([from, to]) => ({ from: from * DAY, to: to * DAY, schedule: 'Web' })),
  ]);
  const input: ProblemInput = {
    ...inputOf(scene),
    rules: { ...USUAL_RULES, ...rules },
    elsewhere: new Map(shifts),
    countElsewhereSince: 0,
  };
  return input;
}

async function solved(input: ProblemInput) {
  const { shifts, gap } = await solvePlan(programs, input);
  assert.equal(gap, 0);
  return { shifts, text: shifts.map(({ userId }) => userId ?? '.').join('') };
}

const uncounted = ({ countElsewhereSince: _, ...input }: ProblemInput): ProblemInput => input;

describe('shifts in other schedules', () => {
  it('require the rest of the schedule, and the reason names the other schedule', async () => {
    // B is away. A stage with only A would need no rest.
    const scene: Scene = { stages: [['A', 'B']], restHours: 12, to: 4, away: { B: [[-1, 9]] } };
    const input = beside(scene, { A: [[0, 1]] });
    // The first day is at the same time, which is only avoided. The next one begins when the other shift ends.
    assert.equal((await solved(input)).text, 'A.A.');
    const { shifts, text } = await solved(
      beside({ ...scene, to: 2 }, { A: [[0, 1]] }, { elsewhere: 'never' }),
    );
    assert.equal(text, '..');
    const [, gap] = shifts;
    const elsewhere = { schedule: 'Web', until: DAY };
    const [why] = gap?.reason?.skipped ?? [];
    assert.deepEqual(why, { user_id: 'A', because: 'rest', elsewhere });
    const [obstacle] = gap?.contradiction?.obstacles ?? [];
    assert.deepEqual(obstacle, { userId: 'A', because: 'elsewhere_rest', elsewhere });
    assert.equal((await solved(uncounted(input))).text.replaceAll('.', '').length, 2);
    const before = await solved(beside({ ...scene, to: 1 }, { A: [[1, 2]] }));
    assert.deepEqual(before.shifts[0]?.reason?.skipped[0], {
      ...{ user_id: 'A', because: 'rest' },
      elsewhere: { schedule: 'Web', from: DAY },
    });
    const always = new Map([['A', [{ from: 0, to: DAY, schedule: 'Web', isAlwaysOn: true as const }]]]);
    const alone = await solved({ ...input, elsewhere: always });
    assert.deepEqual(alone.text, (await solved(uncounted({ ...input, elsewhere: always }))).text);
  });

  it('pass the turn of a rotation to somebody else', () => {
    const input = beside({ stages: [['A', 'B']], restHours: 12, to: 2 }, { A: [[-1, 0]] });
    const first = rotation.plan(input).map(({ userId }) => userId);
    assert.deepEqual(first, ['B', 'A']);
    assert.deepEqual(
      rotation.plan(uncounted(input)).map(({ userId }) => userId),
      ['A', 'B'],
    );
  });

  it('count for limits, with simultaneous hours counted once', async () => {
    // Day 0 is a Thursday.
    const two = { stages: [['A']], to: 4 };
    const week = beside(two, { A: [[-3, -2]] }, { limits: { shiftsPerWeek: 3 } });
    assert.equal((await solved(week)).text.replaceAll('.', '').length, 2);
    const hours = beside(two, { A: [[0, 1]] }, { limits: { hoursPerWeek: 48 } });
    assert.equal((await solved(hours)).text.replaceAll('.', ''), 'AA');
    const apart = beside(two, { A: [[-3, -2]] }, { limits: { hoursPerWeek: 48 } });
    const { shifts, text } = await solved(apart);
    assert.equal(text.replaceAll('.', ''), 'A');
    const gap = shifts.find(({ userId }) => userId === null);
    assert.deepEqual(gap?.contradiction?.obstacles[0], {
      ...{ userId: 'A', because: 'limit' },
      limit: { limit: 'hoursPerWeek', most: 48, count: 72 },
    });
    // Days 4 to 10 are a week. The other shift is on its Wednesday, so that either the two days before it or after it
    // are free.
    const rest = beside({ stages: [['A']], to: 11 }, { A: [[6, 7]] }, { limits: { weeklyRestHours: 35 } });
    assert.match((await solved(rest)).text.slice(4), /^(\.\.A{5}|A{3}\.\.AA|A{4}\.\.A|A{5}\.\.)$/);
    const average = { averageHoursPerWeek: 24, averageWeeks: 2 };
    const twoWeeks = beside({ stages: [['A']], to: 4 }, { A: [[4, 5]] }, { limits: average });
    assert.equal((await solved(twoWeeks)).text.replaceAll('.', ''), 'A');
    const rows = beside({ stages: [['A', 'B']], to: 2 }, { A: [[-1, 0]] }, { limits: { shiftsInARow: 1 } });
    assert.equal((await solved(rows)).text[0], 'B');
  });

  it('count for shares, by their hours', async () => {
    const scene = { stages: [['A', 'B']], to: 10 };
    // Ten days, and five more of A: seven and a half each.
    const input = beside(scene, { A: [[0, 5]] }, { elsewhere: 'allow' });
    const own = (text: string) => text.split('A').length - 1;
    assert.ok([2, 3].includes(own((await solved(input)).text)));
    assert.equal(own((await solved(uncounted(input))).text), 5);
    // Shifts that ended before the rule began do not count.
    assert.equal(own((await solved({ ...input, countElsewhereSince: 5 * DAY })).text), 5);
  });

  it('never take a published shift from its person', async () => {
    const scene: Scene = { stages: [['A', 'B']], to: 6, restHours: 12 };
    const rows = planned({ ...scene, strategy: 'fair' });
    const before = rows.map(({ userId }) => userId ?? '.').join('');
    const spans = rows.filter(({ userId }) => userId === 'A').map(({ to }): Span => [to / DAY, to / DAY + 1]);
    for (const limits of [
      ...[{}, { shiftsPerWeek: 2 }, { shiftsInARow: 1 }, { hoursPerWeek: 72 }, { weeklyRestHours: 60 }],
      ...[{ averageHoursPerWeek: 40, averageWeeks: 2 }],
    ]) {
      const { text } = await solved(beside({ ...scene, rows, at: 0.01, from: 0 }, { A: spans }, { limits }));
      assert.equal(text, before, JSON.stringify(limits));
    }
  });

  it('are counted the same way as when all plans are tried', async () => {
    for (const [index, scene] of fc.sample(smallScenes, { numRuns: 60, seed: 12 }).entries()) {
      const all: Limits[] = [
        ...[{ shiftsPerWeek: 2 }, { hoursPerWeek: 60 }, { shiftsInARow: 2 }, {}, { weeklyRestHours: 80 }],
        { averageHoursPerWeek: 30, averageWeeks: 2 },
      ];
      const limits = all[index % all.length] ?? {};
      const input = beside(scene, { A: [[-2, -1.5]], B: [[6.5, 7]] }, { limits });
      const problem = problemOf(input);
      const had = (who: string) => [...(input.elsewhere?.get(who) ?? [])];
      const { terms, gap } = await solvePlan(programs, input);
      const least = bruteForce(problem, () => limits, had);
      assert.deepEqual([compareCosts(costsOf(problem, terms), least), gap], [0, 0], JSON.stringify(scene));
    }
  });
});
