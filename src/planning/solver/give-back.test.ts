import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inputOf } from '../../../testing/planning/problems.ts';
import { DAY, rowsAfter, type Scene, situationOf } from '../../../testing/planning/scene.ts';
import { exceededByHand } from '../../../testing/schedules/limits-by-hand.ts';
import { NO_BOUNDS } from '../../optimizer/answer.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import type { Choice } from '../../optimizer/program.ts';
import { type Programs, programsHere } from '../../optimizer/programs.ts';
import type { Limits } from '../../schedules/limits.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { limitsOfPerson, type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import { revisionTo } from '../revision.ts';
import { costsOf } from './costs.ts';
import { solvePlan } from './planning.ts';
import { type Problem, type ProblemInput, problemOf } from './problem.ts';
import { isPossible, termsOf } from './valuation.ts';

const programs = programsHere();
const CREW = ['A', 'B', 'C', 'D'];
const REST_HOURS = 11;

/** Changes after a plan of two weeks, in shifts of half a day, was published. */
const edits = fc.record({
  limits: fc.constantFrom<Limits>(
    { hoursPerWeek: 60 },
    { hoursPerWeek: 48, weeklyRestHours: 35 },
    { hoursPerWeek: 60, averageHoursPerWeek: 48, averageWeeks: 2 },
  ),
  lowered: fc.option(fc.record({ who: fc.constantFrom(...CREW), hours: fc.constantFrom(24, 36, 45.5) })),
  away: fc.option(fc.record({ who: fc.constantFrom(...CREW), from: fc.nat(10), days: fc.nat(4) })),
  leaves: fc.option(fc.constantFrom(...CREW), { freq: 3 }),
  /** Decides what the solver had found when its time was up. */
  seed: fc.nat(),
});
type Edit = typeof edits extends fc.Arbitrary<infer T> ? T : never;

const scene: Scene = { strategy: 'fair', stages: [CREW], restHours: REST_HOURS, length: 0.5, to: 14 };
const withRules = (input: ProblemInput, limits: Limits, people: PlanRules['people'] = {}): ProblemInput => ({
  ...input,
  rules: { ...USUAL_RULES, limits, people },
});

/** Plans are made once for each set of limits. */
const published = new Map<string, Promise<ReturnType<typeof rowsAfter>>>();

async function rowsWith(limits: Limits) {
  const { shifts } = await solvePlan(programs, withRules(inputOf(scene), limits));
  return rowsAfter([], revisionTo(shifts, situationOf(scene)));
}

async function editedInput({ limits, lowered, away, leaves }: Edit): Promise<ProblemInput> {
  const key = JSON.stringify(limits);
  const rows = published.get(key) ?? rowsWith(limits);
  published.set(key, rows);
  const left = CREW.filter((who) => who !== leaves);
  const input = inputOf({
    ...{ ...scene, stages: [left], plannedWith: [CREW], rows: await rows, at: 0.1 },
    ...(away ? { away: { [away.who]: [[away.from, away.from + away.days + 1]] } } : {}),
  });
  const people = lowered ? { [lowered.who]: { limits: { hoursPerWeek: lowered.hours } } } : {};
  return withRules(input, limits, people);
}

/** A plan that keeps all rules and is otherwise arbitrary: shifts in any order, each for any eligible person. */
function somePlan(problem: Problem, seed: number): Choice {
  let state = seed + 1;
  const next = (most: number) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % most;
  };
  let choice: Choice = problem.slots.map(() => -1);
  const order = [...choice.keys()].map((slot) => ({ slot, key: next(1_000) })).sort((a, b) => a.key - b.key);
  for (const { slot } of order) {
    const able = problem.candidates[slot] ?? [];
    const begin = next(Math.max(1, able.length));
    for (const { person } of [...able.slice(begin), ...able.slice(0, begin)]) {
      const tried = choice.with(slot, person);
      if (!isPossible(problem, tried)) continue;
      choice = tried;
      break;
    }
  }
  return choice;
}

/** A solver that runs out of time after filling shifts without regard to who had them. */
function outOfTime(choice: Choice): Programs {
  return {
    solve: async () => ({ status: 'time_limit', choice, bounds: NO_BOUNDS, solver: 'out of time' }),
  };
}

/** Whether a person could have a published shift in addition to their planned ones, by the rules as users know them. */
function couldHave(
  { rules = USUAL_RULES }: ProblemInput,
  shifts: readonly PlannedShift[],
  who: string,
  shift: PlannedShift,
): boolean {
  const own = shifts.filter(({ userId }) => userId === who);
  const rests = own.every(
    (other) => Math.max(other.from - shift.to, shift.from - other.to) >= REST_HOURS * (DAY / 24),
  );
  return rests && exceededByHand(limitsOfPerson(rules, who), [...own, shift], [shift]).length === 0;
}

describe('a plan that ran out of time', () => {
  it("moves no published shift that its person could have, and is at least as good as the solver's plan", async () => {
    let returned = 0;
    for (const edit of fc.sample(edits, { numRuns: 60, seed: 3 })) {
      const input = await editedInput(edit);
      const problem = problemOf(input);
      const found = somePlan(problem, edit.seed);
      const { shifts, terms } = await solvePlan(outOfTime(found), input);
      const told = JSON.stringify(edit);
      const costs = [terms, termsOf(problem, found)].map((one) => costsOf(problem, one));
      assert.ok(costs[0] && costs[1] && compareCosts(costs[0], costs[1]) <= 0, told);
      for (const slot of problem.slots) {
        const keeper = slot.keptBy === null ? null : (problem.people[slot.keptBy] ?? null);
        const now = shifts.find((shift) => shift.to === slot.to);
        if (keeper === null || !now || now.userId === keeper) continue;
        assert.ok(!couldHave(input, shifts, keeper, now), `${keeper} lost ${now.from / DAY}: ${told}`);
      }
      for (const who of problem.people) {
        const own = shifts.filter(({ userId }) => userId === who);
        const fresh = own.filter(({ from }) => from > 0.1 * DAY);
        assert.deepEqual(
          exceededByHand(limitsOfPerson(input.rules ?? USUAL_RULES, who), own, fresh),
          [],
          told,
        );
      }
      if (terms.moved < termsOf(problem, found).moved) returned++;
    }
    assert.ok(returned > 40, `${returned} plans were improved`);
  });

  it('stays as published when nothing prevents it', async () => {
    const edit = { limits: { hoursPerWeek: 60 }, lowered: null, away: null, leaves: null, seed: 5 };
    const input = await editedInput(edit);
    const { terms } = await solvePlan(outOfTime(somePlan(problemOf(input), edit.seed)), input);
    assert.deepEqual([terms.uncovered, terms.moved], [0, 0]);
  });
});
