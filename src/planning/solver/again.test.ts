import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY, rowsAfter, type Scene, situationOf } from '../../../testing/planning/scene.ts';
import type { SolverAnswer } from '../../optimizer/answer.ts';
import { NO_BOUNDS } from '../../optimizer/answer.ts';
import { type Programs, programsHere } from '../../optimizer/programs.ts';
import type { Limits } from '../../schedules/limits.ts';
import { plannedShifts } from '../../schedules/planned-shifts.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { USUAL_RULES } from '../../schedules/rules.ts';
import { planInputOf, revisionTo, type Situation } from '../revision.ts';
import { bestPlan } from './best-plan.ts';
import { type ProblemInput, problemOf as slotsOf } from './problem.ts';

const programs = programsHere();
/** Half of the days, so that shifts run when they are first planned. Day 0 is a Thursday. */
const QUARTER = 0.25;

const crew = fc.shuffledSubarray(['A', 'B', 'C'], { minLength: 1 });
const limits = fc.constantFrom<Limits>(
  {},
  { weekendsInARow: 1 },
  { weekendsPerMonth: 1 },
  { shiftsInARow: 2 },
  { shiftsPerWeek: 2 },
  { hoursPerWeek: 60 },
  { weeklyRestHours: 48 },
);
const span = fc.tuple(fc.integer({ min: 8, max: 40 }), fc.integer({ min: 1, max: 6 }));
const drawn = fc.record({
  stages: fc.array(crew, { minLength: 1, maxLength: 2 }),
  away: fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.array(span, { maxLength: 2 })),
  restHours: fc.constantFrom(0, 12, 24),
  limits,
  /** In quarters of a day: within the shift of Friday, Saturday, Sunday or Monday. */
  at: fc.integer({ min: 4, max: 19 }),
  days: fc.integer({ min: 2, max: 8 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function begun({ stages, away, restHours, at, days }: Drawn): Situation {
  const spans = Object.entries(away).map(([who, own]): [string, [number, number][]] => [
    who,
    own.map(([from, length]) => [from * QUARTER, (from + length) * QUARTER]),
  ]);
  const scene: Scene = { strategy: 'fair', stages, restHours, away: Object.fromEntries(spans) };
  return situationOf({ ...scene, at: at * QUARTER, to: Math.floor(at * QUARTER) + days });
}

const problemOf = (situation: Situation, limitsOfAll: Limits): ProblemInput => ({
  ...planInputOf(situation),
  calendar: { timeZone: 'UTC', holidays: new Set() },
  rules: { ...USUAL_RULES, limits: limitsOfAll },
});

const told = (situation: Situation) =>
  situation.stages
    .flatMap(({ stage }) => plannedShifts(situation.rows.filter((row) => row.stage === stage)))
    .map(({ stage, from, to, userId }) => `${stage} ${from / DAY}-${to / DAY} ${userId ?? '.'}`);

/** Publishes the best plan. */
async function published(situation: Situation, limitsOfAll: Limits) {
  const plan = await bestPlan(programs, problemOf(situation, limitsOfAll));
  const rows = rowsAfter(situation.rows, revisionTo(plan.shifts, situation));
  const stages = situation.stages.map((stage) => ({
    ...stage,
    plannedMembers: stage.members.map(({ userId }) => userId),
  }));
  return { plan, after: { ...situation, stages, rows } };
}

/** How many shifts of one person begin when another one of theirs ends. */
function besideIn(shifts: readonly PlannedShift[]): number {
  const isBeside = (a: PlannedShift, b: PlannedShift) =>
    a.userId !== null && a.userId === b.userId && a.to === b.from;
  return shifts.reduce((sum, shift) => sum + shifts.filter((other) => isBeside(shift, other)).length, 0);
}

describe('a plan that is made again', () => {
  it('is the same, also if a shift runs that nobody could have as a whole', async () => {
    let [wholes, rests] = [0, 0];
    for (const one of fc.sample(drawn, { numRuns: 150, seed: 35 })) {
      const first = await published(begun(one), one.limits);
      // Pieces of shared shifts are cut anew, and then more may be covered.
      if (first.plan.shifts.some(({ reason }) => reason?.shared)) continue;
      wholes++;
      if (first.plan.shifts.some(({ from, userId }) => userId && from / DAY === one.at * QUARTER)) rests++;
      assert.equal(first.plan.terms.backToBack, 6 * besideIn(first.plan.shifts), JSON.stringify(one));
      const second = await published(first.after, one.limits);
      assert.equal(first.plan.gap, 0, JSON.stringify(one));
      assert.deepEqual(told(second.after), told(first.after), JSON.stringify(one));
    }
    assert.ok(wholes > 100 && rests > 2, `${wholes} plans of whole shifts, ${rests} with the rest of one`);
  });

  it('gives the rest of a running shift to somebody for whom the whole shift would be too long', async () => {
    const one = {
      stages: [['A']],
      away: {},
      restHours: 0 as const,
      limits: { hoursPerWeek: 20 },
      at: 18,
      days: 3,
    };
    const { after } = await published(begun(one), one.limits);
    assert.deepEqual(told(after), ['1 4.5-5 A', '1 5-6 .', '1 6-7 .']);
  });
});

describe('shifts of a day and of half a day', () => {
  it('have the same weight before and after one of them is published and runs', async () => {
    const situation = situationOf({ strategy: 'fair', stages: [['A'], ['B']], at: QUARTER, to: 2 });
    const halves = [0.5, 1, 1.5].map((at) => at * DAY);
    const stages = situation.stages.map((one, index) => (index === 1 ? { ...one, handoffs: halves } : one));
    const weights = (of: Situation) =>
      slotsOf(problemOf(of, {})).slots.map(
        ({ stage, to, uncoveredWeight }) => `${stage} ${to / DAY} ${uncoveredWeight}`,
      );
    const first = { ...situation, stages };
    const [running, ...coming] = weights(first);
    assert.equal(running, '1 1 45000');
    assert.deepEqual(coming, ['2 1 10000', '1 2 60000', '2 1.5 10000']);
    const { after } = await published(first, {});
    assert.deepEqual(weights(after), coming);
  });
});

describe('a running shift of twelve hours on each workday', () => {
  /** It began on Monday, which is day 4, and has 30 of its 60 hours left on Wednesday at noon. */
  const scene: Scene = {
    ...{ strategy: 'fair', stages: [['A']], from: 4, to: 11, length: 7 },
    windows: [4, 5, 6, 7, 8].map((day) => [day + QUARTER, day + 3 * QUARTER]),
  };
  const wednesday = 6.5;
  const most = { hoursPerWeek: 40 };

  it('has a rest that somebody can have for whom the whole shift would be too long', async () => {
    const { after } = await published(situationOf({ ...scene, at: wednesday }), most);
    assert.deepEqual(told(after), [`1 ${wednesday}-8.75 A`]);
    const again = await published(after, most);
    assert.deepEqual(told(again.after), told(after));
  });

  it('has the same rest if it was published without a person', async () => {
    const nobody = await published(situationOf({ ...scene, at: 4 }), most);
    assert.deepEqual(told(nobody.after), ['1 4.25-8.75 .']);
    const { rows } = nobody.after;
    const { after } = await published(situationOf({ ...scene, at: wednesday, rows }), most);
    assert.deepEqual(told(after), [`1 4.25-${wednesday} .`, `1 ${wednesday}-8.75 A`]);
  });

  it('has the same rest if its person left the stage', async () => {
    const { rows } = (await published(situationOf({ ...scene, stages: [['B']], at: 4 }), {})).after;
    const left = situationOf({ ...scene, at: wednesday, rows, plannedWith: [['B']] });
    const { after } = await published(left, most);
    assert.deepEqual(told(after), [`1 4.25-${wednesday} B`, `1 ${wednesday}-8.75 A`]);
  });
});

describe('a plan of whole shifts', () => {
  /** The first program is solved, the second one runs out of time at once. */
  function cutOff(): Programs {
    let runs = 0;
    return {
      ...programs,
      async solve(request, improved): Promise<SolverAnswer> {
        if (++runs === 1) return programs.solve(request, improved);
        return { status: 'time_limit', choice: request.start, bounds: NO_BOUNDS, solver: 'none' };
      },
    };
  }

  it('is not called the best if time ran out before it was known whether shared shifts cover more', async () => {
    const situation = situationOf({
      ...{ strategy: 'fair', stages: [['A']], restHours: 0, to: 2 },
      away: {
        A: [
          [0, 0.6],
          [0.6, 1],
        ],
      },
    });
    const input = problemOf(situation, {});
    assert.equal((await bestPlan(programs, input)).gap, 0);
    const { gap, bound, origin } = await bestPlan(cutOff(), input);
    assert.deepEqual({ gap, bound, origin }, { gap: null, bound: null, origin: 'time_limit' });
  });
});
