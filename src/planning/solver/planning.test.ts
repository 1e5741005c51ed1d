import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Highs } from 'highs';
import { bruteForce, inputOf } from '../../../testing/planning/problems.ts';
import { DAY, planned, rowsAfter, type Scene, situationOf } from '../../../testing/planning/scene.ts';
import { person, span } from '../../../testing/planning/scenes.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { loadHighs, solveWith } from '../../optimizer/highs.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { ShiftRow } from '../../schedules/difference.ts';
import { USUAL_RULES } from '../../schedules/rules.ts';
import { revisionTo } from '../revision.ts';
import { costsOf } from './costs.ts';
import { modelOf } from './model.ts';
import { greedyChoice, solvePlan } from './planning.ts';
import { type ProblemInput, problemOf } from './problem.ts';
import { termsOf } from './valuation.ts';

const programs = programsHere();
const RUNS = 40;

/** If columns are not declared as integers, HiGHS 1.15.1 reports a plan as best that is not. */
const PRESOLVED_AWAY: Scene = {
  stages: [
    ['C', 'A'],
    ['C', 'B', 'A'],
  ],
  wishes: [{ who: 'C', type: 'requested', from: 1.625, to: 2.375 }],
  restHours: 30,
  to: 2,
};

async function solve(scene: Scene, holidays: readonly string[] = []) {
  return solvePlan(programs, inputOf(scene, holidays));
}

/** One letter per shift, a dot for a gap. */
async function letters(scene: Scene, stage = 1): Promise<string> {
  const { shifts } = await solve(scene);
  return shifts
    .filter((shift) => shift.stage === stage)
    .map(({ userId }) => userId ?? '.')
    .join('');
}

const count = (text: string, who: string) => text.split(who).length - 1;

describe('the shares of a plan', () => {
  it('count a gap that is still running once, as a shift that may be filled', () => {
    const scene = { strategy: 'fair', stages: [['A', 'B']], to: 7 } as const;
    const rows = planned({ ...scene, at: 0.25, away: { A: [[0, 1]], B: [[0, 1]] } });
    const gap = rows.filter(({ userId }) => userId === null);
    assert.equal(gap.length, 1);
    const targets = (given: readonly ShiftRow[]) =>
      problemOf(inputOf({ ...scene, at: 0.5, away: { A: [[5, 7]] }, rows: given })).categories.map(
        (category) => category.targets,
      );
    assert.deepEqual(targets(gap), targets([]));
  });
});

describe('the solver', () => {
  it('finds the cheapest of all plans, and proves it', async () => {
    for (const scene of [PRESOLVED_AWAY, ...fc.sample(smallScenes, { numRuns: RUNS, seed: 4 })]) {
      const input = inputOf(scene);
      const problem = problemOf(input);
      const { objective, terms, bound, gap, origin } = await solvePlan(programs, input);
      const told = JSON.stringify(scene);
      assert.equal(compareCosts(costsOf(problem, terms), bruteForce(problem)), 0, told);
      assert.equal(origin, 'optimal', told);
      assert.equal(gap, 0, told);
      assert.ok(Math.abs((bound ?? 0) - objective) < 1e-3, told);
      const greedy = greedyChoice(input, problem);
      if (greedy)
        assert.ok(
          compareCosts(costsOf(problem, terms), costsOf(problem, termsOf(problem, greedy))) <= 0,
          told,
        );
    }
  });

  it('repairs a plan with the fewest gaps, and then the fewest changes', async () => {
    for (const scene of fc.sample(smallScenes, { numRuns: RUNS, seed: 5 })) {
      const rows = planned({ ...scene, strategy: 'fair', away: {} });
      const input = inputOf({ ...scene, rows, at: 0.5 });
      const problem = problemOf(input);
      const { terms, gap } = await solvePlan(programs, input);
      const told = JSON.stringify(scene);
      assert.equal(compareCosts(costsOf(problem, terms), bruteForce(problem)), 0, told);
      assert.equal(gap, 0, told);
    }
  });

  it('repairs new and published plans with overrides in the same way', async () => {
    const taken = fc.array(
      fc
        .record({ who: person, stage: fc.integer({ min: 1, max: 2 }) })
        .chain((who) => span.map(({ from, to }) => ({ ...who, from: from / 4, to: to / 4 }))),
      { minLength: 1, maxLength: 3 },
    );
    for (const [scene, overrides] of fc.sample(fc.tuple(smallScenes, taken), { numRuns: RUNS, seed: 6 })) {
      const rows = planned({ ...scene, strategy: 'fair', away: {}, overrides: overrides.slice(1) });
      const givens: Scene[] = [
        { ...scene, overrides },
        { ...scene, overrides, rows, at: 0.5, from: 0 },
      ];
      for (const given of givens) {
        const input = inputOf(given);
        const problem = problemOf(input);
        const { shifts, terms, gap } = await solvePlan(programs, input);
        const told = JSON.stringify(given);
        assert.equal(compareCosts(costsOf(problem, terms), bruteForce(problem)), 0, told);
        assert.equal(gap, 0, told);
        const again = rowsAfter(given.rows ?? [], revisionTo(shifts, situationOf(given)));
        const { moved, uncovered } = (await solvePlan(programs, inputOf({ ...given, from: 0, rows: again })))
          .terms;
        assert.deepEqual([moved, uncovered], [0, terms.uncovered], `planning again: ${told}`);
      }
    }
  });

  it('does not change its own earlier plan', async () => {
    const scene = {
      stages: [
        ['A', 'B', 'C', 'D'],
        ['A', 'B', 'C', 'E'],
      ],
      away: { B: [[4, 9] as const] },
      to: 14,
    };
    const { shifts } = await solve(scene);
    const rows = shifts.map(({ stage, seat, from, to, userId, reason }, index) => ({
      id: String(index),
      ...{ stage, seat, from, to, userId, reason },
      plannedUserId: userId,
      overrideId: null,
      planned: { from, to },
    }));
    const again = await solve({ ...scene, rows });
    assert.deepEqual(
      again.shifts.map(({ userId }) => userId),
      shifts.map(({ userId }) => userId),
    );
    assert.equal(again.terms.moved, 0);
  });

  it('gives everybody their share, without two shifts in a row', async () => {
    const text = await letters({ stages: [['A', 'B', 'C']], to: 12 });
    for (const who of ['A', 'B', 'C']) assert.equal(count(text, who), 4, text);
    assert.doesNotMatch(text, /AA|BB|CC/);
  });

  it('shares in proportion to the time that each person was present', async () => {
    const text = await letters({ stages: [['A', 'B', 'C']], away: { A: [[10, 40]] }, to: 60 });
    assert.ok(Math.abs(count(text, 'A') - 12) <= 1, text);
    assert.ok(Math.abs(count(text, 'B') - count(text, 'C')) <= 1, text);
  });

  it('shares weekends and holidays separately from the rest', async () => {
    // Days 2 and 3 are the first weekend.
    const { shifts, terms } = await solve({ stages: [['A', 'B', 'C', 'D']], to: 28 }, [
      '1970-01-12',
      '1970-01-20',
    ]);
    const byPerson = (days: readonly number[]) =>
      days.map((day) => shifts.find(({ from }) => from === day * 86_400_000)?.userId);
    const weekends = byPerson([2, 3, 9, 10, 16, 17, 23, 24]);
    for (const who of ['A', 'B', 'C', 'D']) assert.equal(weekends.filter((id) => id === who).length, 2);
    assert.equal(new Set(byPerson([11, 19])).size, 2);
    assert.ok(terms.shares < 30, JSON.stringify(terms));
  });

  it('respects preferences within bounds', async () => {
    const wishes = [
      { who: 'A', type: 'soft_unavailable' as const, from: 0, to: 1 },
      { who: 'D', type: 'requested' as const, from: 2, to: 3 },
    ];
    const text = await letters({ stages: [['A', 'B', 'C', 'D']], wishes, to: 4 });
    assert.match(text, /^[^A].D.$/);
    const forever = [{ who: 'A', type: 'soft_unavailable' as const, from: 0, to: 100 }];
    const all = await letters({ stages: [['A', 'B']], wishes: forever, to: 60 });
    assert.ok(count(all, 'A') >= 25, 'nobody can wish for nothing');
  });

  it('leaves the higher stage empty if one person is missing', async () => {
    const scene = {
      stages: [
        ['A', 'B'],
        ['A', 'B'],
      ],
      away: { B: [[0, 7] as const] },
      to: 7,
    };
    assert.equal(await letters(scene), 'AAAAAAA');
    assert.equal(await letters(scene, 2), '.......');
  });

  it('leaves no gap for the sake of equal nights', async () => {
    // Half a day each, with rest: the person with the first night has all nights, unless a shift stays empty.
    const { shifts } = await solve({ stages: [['A', 'B']], length: 0.5, restHours: 10, to: 84 });
    assert.ok(shifts.every(({ userId }) => userId !== null));
  });

  it('gives the same plan regardless of the order of stages, people and records', async () => {
    const scenes = fc.sample(smallScenes, { numRuns: RUNS / 2, seed: 7 });
    const larger = {
      stages: [
        ['A', 'B', 'C', 'D'],
        ['D', 'A', 'E'],
      ],
      away: { C: [[3, 6] as const, [9, 10] as const] },
      to: 14,
    };
    for (const scene of [larger, ...scenes]) {
      const input = inputOf(scene);
      const turned = {
        ...input,
        stages: input.stages
          .map((stage) => ({
            ...stage,
            members: stage.members.toReversed(),
            places: stage.places.toReversed(),
          }))
          .toReversed(),
        records: new Map(
          [...input.records].reverse().map(([userId, records]) => [userId, records.toReversed()]),
        ),
      };
      const [one, other] = [await solvePlan(programs, input), await solvePlan(programs, turned)];
      const people = ({ shifts }: typeof one) =>
        shifts.map(({ stage, seat, from, userId }) => `${stage} ${seat} ${from} ${userId}`);
      assert.deepEqual(people(other), people(one), JSON.stringify(scene));
      assert.deepEqual(other.terms, one.terms);
    }
  });

  it('shares far more shifts than the targets evenly, and proves it', async () => {
    // B has other shifts nearly all the time, so the others have half as many again, far more than eight beyond their
    // target.
    const input: ProblemInput = {
      ...inputOf({ stages: [['A', 'B', 'C']], to: 60 }),
      rules: { ...USUAL_RULES, elsewhere: 'never' },
      elsewhere: new Map([['B', [{ from: 0, to: 60 * DAY, schedule: 'Web' }]]]),
    };
    const { shifts, gap, objective, bound } = await solvePlan(programs, input);
    const own = (who: string) => shifts.filter(({ userId }) => userId === who).length;
    assert.deepEqual([own('A'), own('B'), own('C')], [30, 0, 30]);
    assert.equal(gap, 0);
    assert.ok(Math.abs((bound ?? 0) - objective) < 1e-3);
  });

  it('requires two proofs: the second run finds what the first one missed', async () => {
    const scene = { stages: [['A', 'B', 'C']], away: { A: [[2, 3] as const] }, to: 6 };
    const problem = problemOf(inputOf(scene));
    const highs = await loadHighs();
    const start = greedyChoice(inputOf(scene), problem);
    const bad = problem.slots.map((_, slot) => (slot === 2 ? 1 : slot % 2 ? 0 : 1));
    assert.ok(compareCosts(costsOf(problem, termsOf(problem, bad)), bruteForce(problem)) > 0);
    const request = { model: modelOf(problem), start: bad, timeLimitSeconds: 60 };
    const answer = solveWith(claimingStartIsBest(highs), request, () => undefined);
    assert.ok(answer.choice);
    assert.equal(compareCosts(costsOf(problem, termsOf(problem, answer.choice)), bruteForce(problem)), 0);
    assert.notEqual(answer.status, 'optimal', 'two runs that contradict each other prove nothing');
    const honest = solveWith(highs, { ...request, start }, () => undefined);
    assert.equal(honest.status, 'optimal');
  });

  it('names the other people who could have had a shift, and the cost of each', async () => {
    const wishes = [{ who: 'B', type: 'soft_unavailable' as const, from: 1, to: 2 }];
    const { shifts } = await solve({ stages: [['A', 'B', 'C']], away: { C: [[1, 2]] }, wishes, to: 3 });
    const [, middle] = shifts;
    assert.equal(middle?.userId, 'A');
    assert.deepEqual(middle?.reason?.skipped, [{ user_id: 'C', because: 'unavailable' }]);
    assert.deepEqual(
      middle?.alternatives.map(({ userId }) => userId),
      ['B'],
    );
    for (const { alternatives } of shifts) for (const { cost } of alternatives) assert.ok(cost > -1e-6);
  });
});

/** HiGHS with presolve, as it was: a run with a start solution reports that solution as best, whatever it is. */
function claimingStartIsBest(highs: Highs): Highs {
  return new Proxy(highs, {
    get(target, name) {
      if (name !== 'createModel') return Reflect.get(target, name);
      return (program: Parameters<Highs['createModel']>[0]) => {
        const model = target.createModel(program);
        const claimed = new Map<number, number>();
        return new Proxy(model, {
          get(real, key) {
            if (key === 'setSolution')
              return (start: { indices: Int32Array; values: Float64Array }) => {
                real.setSolution(start);
                for (const [at, column] of start.indices.entries())
                  claimed.set(column, start.values[at] ?? 0);
                // Only what the start allows: the cheapest completion of it.
                for (const [column, value] of claimed) real.changeColBounds(column, value, value);
              };
            const value = Reflect.get(real, key);
            return typeof value === 'function' ? value.bind(real) : value;
          },
        });
      };
    },
  });
}
