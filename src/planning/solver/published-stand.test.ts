import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY, planned, type Scene, situationOf } from '../../../testing/planning/scene.ts';
import type { Interval } from '../../kit/interval.ts';
import { programsHere } from '../../optimizer/programs.ts';
import { plannedByStage } from '../../schedules/planned-shifts.ts';
import { overlap, type PlannedShift } from '../../schedules/planner.ts';
import { SOON_MS } from '../places.ts';
import { publishedChanges } from '../published-changes.ts';
import { planInputOf, type Situation } from '../revision.ts';
import { STRATEGIES } from '../strategies.ts';
import { solvePlan } from './planning.ts';

const programs = programsHere();
const PEOPLE = ['A', 'B', 'C', 'D'];

/** Edits to a schedule of daily shifts, half a day after its first one began. */
const edit = fc.record({
  before: fc.shuffledSubarray(PEOPLE, { minLength: 2, maxLength: 4 }),
  after: fc.shuffledSubarray(PEOPLE, { minLength: 1, maxLength: 4 }),
  /** The number of days by which hand-offs move. */
  later: fc.constantFrom(0, 0, 0.25, 0.75),
  away: fc.array(
    fc.tuple(fc.constantFrom(...PEOPLE), fc.integer({ min: 4, max: 24 }), fc.integer({ min: 1, max: 6 })),
    { maxLength: 3 },
  ),
  restHours: fc.constantFrom(0, 0, 20, 24),
  to: fc.integer({ min: 3, max: 6 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function editedSituation({ before, after, later, away, restHours, to }: Edit): Situation {
  const scene: Scene = { strategy: 'fair', stages: [before], restHours, to };
  const absences = Object.fromEntries(
    PEOPLE.map((who) => [
      who,
      away.filter(([one]) => one === who).map(([, from, length]) => [from / 4, (from + length) / 4] as const),
    ]),
  );
  const situation = situationOf({
    ...scene,
    stages: [after],
    plannedWith: [before],
    rows: planned(scene),
    away: absences,
    at: 0.5,
    from: 0,
  });
  const days = [-1, ...situation.handoffs.map((at) => at / DAY)].map((day) => (day + later) * DAY);
  return { ...situation, handoffs: later === 0 ? situation.handoffs : days };
}

/** Time without anybody, in twentieths of a day, and published shifts that change hands: within three days, and all. */
type Cost = readonly [uncovered: number, soon: number, all: number];

function costOf(situation: Situation, plan: readonly PlannedShift[]): Cost {
  const { at, rows } = situation;
  const changes = publishedChanges(plannedByStage(rows), plan, at, at + SOON_MS);
  const gaps = plan.filter(({ userId }) => userId === null);
  const usual = plan.map(lengthFrom(at)).sort((a, b) => a - b)[Math.floor(plan.length / 2)] ?? 1;
  const uncovered = gaps.reduce(
    (sum, gap) => sum + Math.max(1, Math.round((lengthFrom(at)(gap) / usual) * 20)),
    0,
  );
  return [uncovered, changes.soon, changes.handedOver];
}

const lengthFrom = (at: number) => (span: Interval) => span.to - Math.max(span.from, at);

/** Tries everybody for every shift that is not running, by the rules as users know them. */
function leastOf(situation: Situation, plan: readonly PlannedShift[]): Cost {
  const { stages, records, restMs, at } = situation;
  const members = stages[0]?.members.map(({ userId }) => userId) ?? [];
  const isAlwaysOn = members.length <= 1;
  const open = plan.filter(({ from, userId }) => from >= at || !members.includes(userId ?? ''));
  const fixed = plan.filter((shift) => !open.includes(shift));
  let least: Cost | null = null;
  const isAble = (userId: string, shift: Interval, so: readonly PlannedShift[]) =>
    !(records.get(userId) ?? []).some((record) =>
      overlap(record, { ...shift, from: Math.max(shift.from, at) }),
    ) &&
    !so.some((other) => {
      const pause = Math.max(other.from - shift.to, shift.from - other.to);
      return other.userId === userId && (pause < 0 || (pause < restMs && !isAlwaysOn));
    });
  const decide = (index: number, so: readonly PlannedShift[]): void => {
    const shift = open[index];
    if (!shift) {
      const cost = costOf(situation, so);
      if (!least || compare(cost, least) < 0) least = cost;
      return;
    }
    for (const userId of members)
      if (isAble(userId, shift, so)) decide(index + 1, [...so, { ...shift, userId }]);
    decide(index + 1, [...so, { ...shift, userId: null }]);
  };
  decide(0, fixed);
  if (!least) throw new Error('there is always a plan');
  return least;
}

function compare(a: Cost, b: Cost): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

async function replanned(situation: Situation): Promise<readonly PlannedShift[]> {
  const input = { ...planInputOf(situation), calendar: { timeZone: 'UTC', holidays: new Set<string>() } };
  return (await solvePlan(programs, input)).shifts;
}

describe('published shifts', () => {
  it('change hands as rarely as possible when people or hours change, compared with all possible plans', async () => {
    for (const one of fc.sample(edit, { numRuns: 120, seed: 7 })) {
      const situation = editedSituation(one);
      const plan = await replanned(situation);
      assert.deepEqual(costOf(situation, plan), leastOf(situation, plan), JSON.stringify(one));
    }
  });

  it('stay in a rotation unless their person can no longer have them', () => {
    for (const one of fc.sample(edit, { numRuns: 300, seed: 8 })) {
      const situation = { ...editedSituation({ ...one, later: 0 }), strategy: 'rotation' as const };
      const { at, rows, records, stages } = situation;
      const plan = STRATEGIES.rotation.plan(planInputOf(situation));
      const members = stages[0]?.members.map(({ userId }) => userId) ?? [];
      for (const { planned: span, userId, to } of rows) {
        if (!span || userId === null || to <= at) continue;
        const now = plan.find((shift) => shift.to === span.to);
        const isAway = (records.get(userId) ?? []).some((record) => overlap(record, span));
        const isTheirs = members.includes(userId) && (span.from <= at || !isAway);
        if (isTheirs) assert.equal(now?.userId, userId, JSON.stringify(one));
      }
    }
  });
});
