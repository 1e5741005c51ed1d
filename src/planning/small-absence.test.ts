import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY, type Scene, situationOf } from '../../testing/planning/scene.ts';
import { programsHere } from '../optimizer/programs.ts';
import type { PlannedShift } from '../schedules/planner.ts';
import { planInputOf } from './revision.ts';
import { bestPlan } from './solver/best-plan.ts';
import { STRATEGIES } from './strategies.ts';

const programs = programsHere();
const HOUR = 1 / 24;

/** The plan of a strategy. Small absences have at most eight hours. */
async function shiftsOf(strategy: 'fair' | 'rotation', scene: Scene, smallHours = 8): Promise<string[]> {
  const situation = { ...situationOf({ ...scene, strategy }), smallAbsenceMs: smallHours * HOUR * DAY };
  const input = { ...planInputOf(situation), calendar: { timeZone: 'UTC', holidays: new Set<string>() } };
  const shifts: readonly PlannedShift[] =
    strategy === 'fair' ? (await bestPlan(programs, input)).shifts : STRATEGIES.rotation.plan(input);
  const hours = (ms: number) => Math.round((ms / DAY) * 24 * 100) / 100;
  return shifts.map(({ from, to, userId }) => `${userId ?? '-'} ${hours(from)}-${hours(to)}`);
}

for (const strategy of ['fair', 'rotation'] as const)
  describe(`a ${strategy} plan`, () => {
    it('gives a week to a person who is away for an hour of each week', async () => {
      const weekly = [0, 7, 14, 21].map((day) => [day + 0.5, day + 0.5 + HOUR] as const);
      const scene: Scene = { stages: [['A', 'B']], away: { A: weekly }, length: 7, to: 28 };
      const shifts = await shiftsOf(strategy, scene);
      assert.equal(shifts.filter((shift) => shift.startsWith('A')).length, 2, shifts.join());
      const strict = await shiftsOf(strategy, scene, 0);
      assert.equal(strict.filter((shift) => shift.startsWith('A')).length, 0, strict.join());
    });

    it('gives it to others if the absence reaches a tenth or more than the limit in hours', async () => {
      const away = (hours: number) => ({ A: [[0.5, 0.5 + hours * HOUR] as const] });
      const whose = async (hours: number, length: number) =>
        (await shiftsOf(strategy, { stages: [['A']], away: away(hours), length, to: length }))[0]?.split(' ');
      assert.deepEqual(await whose(8, 7), ['A', '0-168']);
      assert.notDeepEqual(await whose(8.5, 7), ['A', '0-168'], 'more than eight hours');
      assert.deepEqual(await whose(2, 1), ['A', '0-24']);
      assert.notDeepEqual(await whose(2.5, 1), ['A', '0-24'], 'more than a tenth');
    });

    it('opens half an hour, not the whole day', async () => {
      const scene: Scene = { stages: [['A', 'B']], away: { A: [[0, HOUR / 2]], B: [[0, 1]] }, to: 1 };
      assert.deepEqual(await shiftsOf(strategy, scene, 0), ['- 0-0.5', 'A 0.5-24']);
    });

    it('makes a piece an hour long if its person can stay', async () => {
      const scene: Scene = {
        ...{ stages: [['A', 'B']], to: 1 },
        away: { A: [[0, HOUR / 2]], B: [[2 * HOUR, 1]] },
      };
      const shifts = await shiftsOf(strategy, scene, 0);
      assert.ok(['B 0-1,A 1-24', 'B 0-2,A 2-24'].includes(shifts.join()), shifts.join());
      const short: Scene = { ...scene, away: { A: [[0, HOUR / 2]], B: [[HOUR / 2, 1]] } };
      assert.deepEqual(await shiftsOf(strategy, short, 0), ['B 0-0.5,A 0.5-24'].join().split(','));
    });
  });
