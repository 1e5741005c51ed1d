import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bruteForce, inputOf } from '../../../testing/planning/problems.ts';
import { DAY, planned, type Scene } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { aloneByHand } from '../../../testing/schedules/companions-by-hand.ts';
import type { Had } from '../../../testing/schedules/juniors-by-hand.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { OnlyWith } from '../../schedules/companions.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { whyNot } from '../gap-text.ts';
import { anonymous } from './anonymous.ts';
import { bestPlan } from './best-plan.ts';
import { contradictionText } from './contradiction-text.ts';
import { costsOf } from './costs.ts';
import { greedyChoice, solvePlan } from './planning.ts';
import { problemOf } from './problem.ts';
import { isPossible } from './valuation.ts';

const programs = programsHere();
const NAMES = new Map([
  ['A', 'Ada'],
  ['B', 'Ben'],
  ['C', 'Cleo'],
]);
const words = { nameOf: (id: string) => NAMES.get(id) ?? id, timeZone: 'UTC', restMs: 0 };

const some = fc.shuffledSubarray(['A', 'B', 'C'], { minLength: 1 });
const rule = fc.record({ people: fc.option(some, { nil: null }), with: some });
const cases = fc.record({
  scene: smallScenes,
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  isPublished: fc.boolean(),
  /** Quarters of a day in which an override puts somebody on call. */
  override: fc.option(
    fc.record({ who: fc.constantFrom('A', 'B'), from: fc.nat(8), long: fc.integer({ min: 1, max: 6 }) }),
    {
      nil: null,
    },
  ),
});

function linesOf(shifts: readonly PlannedShift[]): string[] {
  const lines = Map.groupBy(shifts, ({ stage, seat }) => `${stage} ${seat}`);
  return [...lines.values()].map((own) => own.map(({ userId }) => userId ?? '.').join(''));
}

async function plan(scene: Scene, onlyWith: readonly OnlyWith[]) {
  const { shifts } = await solvePlan(programs, { ...inputOf(scene), onlyWith });
  return { shifts, lines: linesOf(shifts) };
}

function hadOf(shifts: readonly PlannedShift[]): Had[] {
  return shifts.flatMap(({ from, to, userId }) => (userId === null ? [] : [{ from, to, userId }]));
}

describe('people who are on call only together with others', () => {
  it('never are without a companion, and trying all plans finds no better one', async () => {
    let left = 0;
    for (const { scene: drawn, rules: onlyWith, isPublished } of fc.sample(cases, {
      numRuns: 150,
      seed: 5,
    })) {
      const scene: Scene = { ...drawn, strategy: 'fair' };
      const rows = isPublished ? planned({ ...scene, away: {} }) : [];
      const input = { ...inputOf({ ...scene, rows }), onlyWith };
      const problem = problemOf(input);
      const told = JSON.stringify({ scene, onlyWith, isPublished });
      const fixed = input.stages
        .flatMap(({ places }) => places.filter((place) => place.fixed))
        .flatMap(({ from, to, kept }): Had[] => (kept ? [{ from, to, userId: kept.userId }] : []));
      const isFixed = ({ from, userId }: Had) =>
        fixed.some((one) => one.from === from && one.userId === userId);
      const { shifts, terms, gap } = await solvePlan(programs, input);
      const all = hadOf(shifts);
      assert.deepEqual(
        aloneByHand(
          onlyWith,
          all,
          all.filter((one) => !isFixed(one)),
        ),
        [],
        told,
      );
      const best = bruteForce(
        problem,
        () => ({}),
        () => [],
        (own) => aloneByHand(onlyWith, [...fixed, ...own], own).length === 0,
      );
      assert.equal(compareCosts(costsOf(problem, terms), best), 0, told);
      assert.equal(gap, 0, told);
      assert.ok(isPossible(problem, greedyChoice(input, problem)), told);
      for (const { reason } of shifts)
        for (const one of reason?.skipped ?? []) if (one.because === 'alone') left++;
    }
    assert.ok(left > 50, `${left}`);
  });

  it('never are without a companion when shifts are shared and overrides put people on call', async () => {
    for (const { scene: drawn, rules: onlyWith, override } of fc.sample(cases, { numRuns: 80, seed: 6 })) {
      const span = override && { from: override.from / 4, to: (override.from + override.long) / 4 };
      const overrides = span ? [{ stage: 1, who: override.who, ...span }] : [];
      const scene: Scene = { ...drawn, strategy: 'fair', overrides };
      const input = { ...inputOf(scene), onlyWith };
      const { shifts } = await bestPlan(programs, input);
      const given = overrides.map(
        ({ who, from, to }): Had => ({ userId: who, from: from * DAY, to: to * DAY }),
      );
      // Time that an override gives away does not count as on call. With two seats, the plan decides which seat it
      // takes.
      if (span && drawn.seats[0] > 1) continue;
      const mine = shifts.flatMap((shift): Had[] => {
        const { userId, from, to, stage } = shift;
        if (userId === null) return [];
        const [hole] = stage === 1 ? given : [];
        if (!hole || hole.from >= to || hole.to <= from) return [{ userId, from, to }];
        return [
          { userId, from, to: Math.min(to, hole.from) },
          { userId, from: Math.max(from, hole.to), to },
        ].filter((part) => part.from < part.to);
      });
      assert.deepEqual(
        aloneByHand(onlyWith, [...mine, ...given], mine),
        [],
        JSON.stringify({ scene, onlyWith }),
      );
    }
  });

  it('means a junior with a senior in the other stage, and gives this reason for gaps and people', async () => {
    const onlyWith: OnlyWith[] = [{ people: ['B'], with: ['A'] }];
    const stages = [
      ['A', 'B', 'C'],
      ['A', 'B', 'C'],
    ];
    const { lines, shifts } = await plan({ stages, to: 9 }, onlyWith);
    for (const day of Array(9).keys())
      assert.match(`${lines[0]?.[day]}${lines[1]?.[day]}`, /^(AB|BA|AC|CA)$/, lines.join(' '));
    const why = shifts.flatMap(({ reason }) => reason?.skipped ?? []).find((one) => one.because === 'alone');
    assert.match(
      whyNot(why ?? assert.fail(), words.nameOf, words),
      /^\w+ cannot: (they|Ben) would be on call without Ada$/,
    );
    const open = await plan({ stages: [['B'], ['C']], to: 2 }, onlyWith);
    assert.deepEqual(open.lines, ['..', 'CC']);
    const [gap] = open.shifts.filter(({ userId }) => userId === null);
    assert.match(
      contradictionText(gap?.contradiction ?? assert.fail(), words),
      /^nobody can take stage 1 from 1 January 00:00 to 2 January 00:00: Ben cannot: they would be on call without Ada$/,
    );
  });

  it('means one of several people at all times, or two people always together', async () => {
    const stages = [
      ['A', 'B', 'C'],
      ['A', 'B', 'C'],
    ];
    const always = await plan({ stages, to: 9 }, [{ people: null, with: ['A', 'B'] }]);
    for (const day of Array(9).keys()) assert.match(always.lines.map((line) => line[day]).join(''), /[AB]/);
    assert.doesNotMatch(always.lines.join(''), /\./);
    const pair = await plan({ stages, to: 9 }, [{ people: ['A', 'B'], with: ['A', 'B'] }]);
    for (const day of Array(9).keys())
      assert.match(pair.lines.map((line) => line[day]).join(''), /^(AB|BA|C\.|\.C)$/, pair.lines.join(' '));
  });

  it('counts people who are on call regardless of the plan, and works without names', async () => {
    const onlyWith: OnlyWith[] = [{ people: ['B'], with: ['A', 'Z'] }];
    const overrides = [{ stage: 2, who: 'A', from: 0, to: 2 }];
    const { lines } = await plan({ strategy: 'fair', stages: [['B'], ['C']], to: 3, overrides }, onlyWith);
    assert.equal(lines[0], 'BB.');
    const input = { ...inputOf({ stages: [['B', 'A']], to: 2, away: { A: [[0, 2]] } }), onlyWith };
    const { input: nameless, key, named } = anonymous(input);
    assert.doesNotMatch(JSON.stringify({ ...nameless, records: [], elsewhere: [] }), /"[ABZ]"/);
    assert.notEqual(key, anonymous({ ...input, onlyWith: [] }).key);
    const { shifts } = await solvePlan(programs, nameless);
    const [first] = named(shifts);
    assert.deepEqual(first?.reason?.skipped.at(-1), { user_id: 'B', because: 'alone', with: ['A', 'Z'] });
  });
});
