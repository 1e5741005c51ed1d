import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bruteForce, inputOf } from '../../../testing/planning/problems.ts';
import { DAY, planned, type Scene } from '../../../testing/planning/scene.ts';
import { person } from '../../../testing/planning/scenes.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { type Had, meetByHand } from '../../../testing/schedules/juniors-by-hand.ts';
import { type ByHand, exceededByHand } from '../../../testing/schedules/limits-by-hand.ts';
import { intersects } from '../../kit/interval.ts';
import { compareCosts } from '../../optimizer/levels.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { ApartGroup } from '../../schedules/apart.ts';
import type { Limits } from '../../schedules/limits.ts';
import { timesNotPlanned, withTimesNotPlanned } from '../../schedules/person-times.ts';
import { limitsOfPerson, type PersonRules, USUAL_RULES } from '../../schedules/rules.ts';
import { contradictionText } from './contradiction-text.ts';
import { costsOf } from './costs.ts';
import { greedyChoice, solvePlan } from './planning.ts';
import { type Problem, type ProblemInput, problemOf } from './problem.ts';

const programs = programsHere();
const RUNS = 300;

const limits = fc.oneof(
  fc.constantFrom<Limits>(
    { weekendsInARow: 1 },
    { shiftsInARow: 1 },
    { nightsInARow: 1 },
    { hoursPerWeek: 60 },
    { weekendsPerMonth: 1 },
    { weeklyRestHours: 24 },
    { weeklyRestHours: 35 },
    { averageHoursPerWeek: 48, averageWeeks: 2 },
  ),
  fc.record(
    {
      shiftsPerWeek: fc.integer({ min: 1, max: 3 }),
      hoursPerWeek: fc.constantFrom(12, 24, 40, 60.5, 100),
      averageHoursPerWeek: fc.constantFrom(8, 12, 24, 36.5, 60),
      averageWeeks: fc.constantFrom(null, 2, 3),
      weeklyRestHours: fc.constantFrom(24, 35, 60, 100),
      weekendsPerMonth: fc.integer({ min: 1, max: 2 }),
      weekendsInARow: fc.integer({ min: 1, max: 2 }),
      nightsInARow: fc.integer({ min: 1, max: 2 }),
      shiftsInARow: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: [] },
  ),
);
const hours = fc.record({
  days: fc.uniqueArray(fc.constantFrom('mon', 'thu', 'fri', 'sat', 'sun'), { minLength: 1, maxLength: 2 }),
  from: fc.constantFrom('00:00', '18:00'),
  to: fc.constantFrom('06:00', '24:00'),
});
const personRules = fc.record(
  {
    limits: fc.record(
      {
        shiftsPerWeek: fc.constantFrom(null, 1),
        hoursPerWeek: fc.constantFrom(null, 24, 48),
        averageHoursPerWeek: fc.constantFrom(null, 18),
        averageWeeks: fc.constantFrom(4),
        weeklyRestHours: fc.constantFrom(null, 48, 120),
        weekendsInARow: fc.constantFrom(null, 1),
        shiftsInARow: fc.constantFrom(null, 1, 2),
      },
      { requiredKeys: [] },
    ),
    never: fc.array(
      hours.map((one) => ({ ...one, since: 0 })),
      { minLength: 1, maxLength: 1 },
    ),
    from: fc.constantFrom('1970-01-02', '1970-01-05'),
    until: fc.constantFrom('1970-01-04', '1970-01-10'),
  },
  { requiredKeys: [] },
);
/** Juniors, or people who are never on call together; two groups may have a person in common. */
const group = fc.record({
  why: fc.constantFrom('junior' as const, 'apart' as const),
  people: fc.subarray(['A', 'B', 'C'], { minLength: 2 }),
});
/** Shifts of half a day to a week, in new plans or in plans with past or published shifts. */
const cases = fc.record({
  scene: smallScenes,
  length: fc.constantFrom(0.5, 0.5, 1, 2, 7),
  begun: fc.constantFrom(0, 0, 1, 2, 2.5),
  limits,
  people: fc.dictionary(person, personRules, { maxKeys: 2 }),
  apart: fc.oneof(fc.constant([]), fc.array(group, { minLength: 1, maxLength: 2 })),
});

function inputWith(
  scene: Scene,
  general: Limits,
  people: Record<string, PersonRules> = {},
): ProblemInput & { notPlanned: ReturnType<typeof timesNotPlanned> } {
  const input = inputOf(scene);
  const notPlanned = timesNotPlanned(people, 'UTC', { from: -30 * DAY, to: 100 * DAY });
  return {
    ...input,
    records: withTimesNotPlanned(input.records, notPlanned),
    rules: { ...USUAL_RULES, limits: general, people },
    notPlanned,
  };
}

/** What a person has regardless of the plan. */
function hadIn({ stages }: ProblemInput, userId: string): ByHand[] {
  return stages.flatMap(({ past, places }) => [
    ...past.filter((shift) => shift.userId === userId),
    ...places.filter(({ fixed, kept }) => fixed && kept?.userId === userId),
  ]);
}

/**
 * The problem with everybody who could take a slot if nobody were kept apart. Nobody gives up a published shift of a
 * higher stage for a gap, which the problem itself already excludes.
 */
function withoutGroups(problem: Problem, input: ProblemInput): Problem {
  const free = problemOf({ ...input, apart: [] });
  const candidates = problem.slots.map(
    ({ place }, slot) => (place.yields ? problem : free).candidates[slot] ?? [],
  );
  return { ...problem, candidates };
}

async function letters(input: ProblemInput): Promise<string> {
  const { shifts } = await solvePlan(programs, input);
  return shifts.map(({ userId }) => userId ?? '.').join('');
}

describe('limits of people', () => {
  it('count a running shift from its hand-off, as they will once it is published', () => {
    const { quotas } = problemOf(inputWith({ stages: [['A']], at: 0.5, to: 2 }, { hoursPerWeek: 30 }));
    const amounts = quotas.flatMap((quota) => (quota.kind === 'sum' ? quota.units : []));
    assert.deepEqual(
      amounts.map(({ amount }) => amount),
      [24, 24],
    );
  });

  it('are never exceeded, and the plan is the best of all plans that keep them', async () => {
    const seen = new Map<string, number>();
    for (const one of fc.sample(cases, { numRuns: RUNS, seed: 11 })) {
      const { length, begun, limits: general, people } = one;
      const from = Math.floor(begun) * length;
      const scene: Scene = { ...one.scene, length, strategy: 'fair', to: from + one.scene.to * length };
      const rows = begun === 0 ? [] : planned({ ...scene, away: {} });
      const groups: readonly ApartGroup[] = one.apart;
      const areKeptApart = (had: readonly Had[], wanted: readonly Had[]) =>
        groups.every((group) => !meetByHand(group.people, had, wanted));
      const input = {
        ...inputWith({ ...scene, rows, from, at: begun * length }, general, people),
        apart: groups,
      };
      const problem = problemOf(input);
      const hadByAll = problem.people.flatMap((userId) =>
        hadIn(input, userId).map(({ from, to }) => ({ userId, from, to })),
      );
      const { shifts, terms, gap } = await solvePlan(programs, input);
      const choice = greedyChoice(input, problem);
      const greedy = problem.slots.map((slot, index) => ({
        ...slot.place,
        userId: problem.people[choice[index] ?? -1] ?? null,
      }));
      const told = JSON.stringify(one);
      const limitsOf = (userId: string) => limitsOfPerson(input.rules ?? USUAL_RULES, userId);
      const best = bruteForce(
        withoutGroups(problem, input),
        limitsOf,
        (userId) => hadIn(input, userId),
        (own) => areKeptApart([...hadByAll, ...own], own),
      );
      assert.equal(compareCosts(costsOf(problem, terms), best), 0, told);
      assert.equal(gap, 0, told);
      const fixed = input.stages.flatMap(({ places }) => places.filter((place) => place.fixed));
      const isFixed = (shift: { stage: number; seat: number; to: number }) =>
        fixed.some(({ stage, seat, to }) => stage === shift.stage && seat === shift.seat && to === shift.to);
      for (const userId of problem.people) {
        for (const plan of [shifts, greedy]) {
          const own = plan.filter((shift) => shift.userId === userId && !isFixed(shift));
          const all = [...hadIn(input, userId), ...own];
          assert.deepEqual(exceededByHand(limitsOf(userId), all, own), [], told);
          for (const time of input.notPlanned.get(userId) ?? [])
            assert.ok(!own.some((shift) => intersects(shift, time)), told);
        }
      }
      for (const plan of [shifts, greedy]) {
        const own = plan.flatMap((shift) =>
          shift.userId === null || isFixed(shift) ? [] : [{ ...shift, userId: shift.userId }],
        );
        assert.ok(areKeptApart([...hadByAll, ...own], own), told);
      }
      for (const { reason } of shifts)
        for (const { because, limit } of reason?.skipped ?? []) {
          const what = limit?.limit ?? (because === 'junior' || because === 'apart' ? because : null);
          if (what) seen.set(what, (seen.get(what) ?? 0) + 1);
        }
    }
    assert.equal(seen.size, 10, `every limit has mattered: ${JSON.stringify([...seen])}`);
  });

  it('are counted by weekend, night, week and row', async () => {
    // Day 0 is a Thursday: days 2 and 3, 9 and 10, 16 and 17 are weekends.
    const days = { stages: [['A', 'B', 'C']], to: 18 };
    const weekends = await letters(inputWith(days, { weekendsInARow: 1 }));
    assert.equal(weekends.includes('.'), false, weekends);
    for (const who of 'ABC') {
      const own = [2, 9, 16].map((day) => weekends.slice(day, day + 2).includes(who));
      assert.ok(!(own[0] && own[1]) && !(own[1] && own[2]), `${who} ${weekends}`);
    }
    const alone = { stages: [['A']], to: 18 };
    assert.equal(await letters(inputWith(alone, { weekendsInARow: 1 })), 'AAAAAAAAA..AAAAAAA');
    assert.equal((await letters(inputWith(alone, { weekendsPerMonth: 1 }))).match(/\./g)?.length, 4);
    assert.equal((await letters(inputWith(alone, { shiftsInARow: 2 }))).includes('AAA'), false);
    assert.equal((await letters(inputWith(alone, { shiftsInARow: 2 }))).match(/\./g)?.length, 6);
    // Monday, 5 January to Sunday, 11 January.
    const week = await letters(inputWith(alone, { hoursPerWeek: 60 }));
    assert.equal(week.slice(4, 11).match(/A/g)?.length, 2, week);
    const day = await letters(inputWith(alone, { weeklyRestHours: 24 }));
    assert.equal(day.slice(4, 11).match(/A/g)?.length, 6, day);
    // Two consecutive days are free, not two separate ones.
    const days35 = await letters(inputWith(alone, { weeklyRestHours: 35 }));
    assert.match(days35.slice(4, 11), /^A*\.\.A*$/);
    assert.equal(days35.slice(4, 11).match(/A/g)?.length, 5, days35);
    // At most 64 hours a week, and at most 4 shifts in any two consecutive weeks.
    const average = await letters(inputWith(alone, { averageHoursPerWeek: 48, averageWeeks: 2 }));
    for (const monday of [-3, 4, 11])
      assert.ok((average.slice(Math.max(0, monday), monday + 14).match(/A/g)?.length ?? 0) <= 4, average);
    assert.equal(average.match(/A/g)?.length, 8, average);
    // Every second half-day shift, from 12 January 00:00 UTC, is not at night.
    const nights = { ...alone, length: 0.5, to: 6 };
    const text = await letters(inputWith(nights, { nightsInARow: 2 }));
    assert.equal(text.length, 12);
    assert.equal(text.match(/\./g)?.length, 2, text);
  });

  it('can differ for single people, and are explained in words', async () => {
    const scene: Scene = { stages: [['A', 'B']], to: 18 };
    const general = { weekendsInARow: 1, shiftsInARow: 3 };
    const people = { B: { limits: { weekendsInARow: null, shiftsInARow: 20 } } };
    const input = inputWith({ ...scene, away: { B: [[0, 8]] } }, general, people);
    const { shifts } = await solvePlan(programs, input);
    const text = shifts.map(({ userId }) => userId ?? '.').join('');
    assert.doesNotMatch(text, /AAAA/);
    const [gap] = shifts.filter(({ userId }) => userId === null);
    const [limit] =
      gap?.contradiction?.obstacles.flatMap((one) => (one.because === 'limit' ? one.limit : [])) ?? [];
    assert.deepEqual([limit?.limit, limit?.most], ['shiftsInARow', 3]);
    assert.ok((limit?.count ?? 0) > 3);
    const words = { nameOf: (id: string) => (id === 'A' ? 'Ada' : 'Ben'), timeZone: 'UTC', restMs: 0 };
    assert.match(
      gap?.contradiction ? contradictionText(gap.contradiction, words) : '',
      /Ada cannot: it would be their (fourth|fifth|sixth|seventh) shift in a row, and the limit is 3; Ben is away until/,
    );
    const sunday = shifts.find(({ from, userId }) => from === 16 * DAY && userId === 'B');
    if (sunday) assert.deepEqual(sunday.reason?.skipped, []);
  });

  it('name the week that would lack a free day, and the number of weeks over which hours are averaged', async () => {
    const words = { nameOf: () => 'Ada', timeZone: 'UTC', restMs: 0 };
    const gapText = async (limits: Limits) => {
      const { shifts } = await solvePlan(programs, inputWith({ stages: [['A']], to: 11 }, limits));
      const gap = shifts.find(({ from, userId }) => from >= 4 * DAY && userId === null);
      return gap?.reason?.contradiction ? contradictionText(gap.reason.contradiction, words) : '';
    };
    assert.match(
      await gapText({ weeklyRestHours: 24 }),
      /Ada cannot: it would leave them no free day in the week of 5 January$/,
    );
    assert.match(
      await gapText({ weeklyRestHours: 35 }),
      /Ada cannot: it would leave them only 24 free hours in a row in the week of 5 January, and the schedule asks for 35$/,
    );
    assert.match(
      await gapText({ averageHoursPerWeek: 60, averageWeeks: 2 }),
      /Ada cannot: it would be 72 hours a week on average over 2 weeks, and the limit is 60$/,
    );
  });

  it('apply beside times that people never take, and before they join and after they leave', async () => {
    const scene: Scene = { stages: [['A', 'B']], to: 18 };
    const never = [{ days: ['sat', 'sun'], from: '00:00', to: '24:00', since: 0 }];
    const people = { A: { never }, B: { from: '1970-01-02', until: '1970-01-15' } };
    const { shifts } = await solvePlan(programs, inputWith(scene, {}, people));
    const text = shifts.map(({ userId }) => userId ?? '.').join('');
    assert.equal(text[0], 'A');
    assert.deepEqual([text.slice(2, 4), text.slice(9, 11)], ['BB', 'BB']);
    assert.equal(text.slice(15), 'A..');
    const [gap] = shifts.filter(({ userId }) => userId === null);
    const words = { nameOf: (id: string) => (id === 'A' ? 'Ada' : 'Ben'), timeZone: 'UTC', restMs: 0 };
    assert.match(
      gap?.contradiction ? contradictionText(gap.contradiction, words) : '',
      /Ada never takes shifts at that time; Ben will have left the rotation by then$/,
    );
    assert.deepEqual(shifts[0]?.reason?.skipped, [{ user_id: 'B', because: 'not_yet' }]);
  });
});
