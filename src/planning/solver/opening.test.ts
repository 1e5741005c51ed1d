import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inputOf } from '../../../testing/planning/problems.ts';
import { DAY, type Scene } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { AvailabilityRecord } from '../../schedules/planner.ts';
import { uncoveredMs } from '../opening.ts';
import { bestPlan } from './best-plan.ts';
import { solvePlan } from './planning.ts';

const programs = programsHere();

/** `A0-3 B3-7`: which days of the first stage each person has. */
async function line(scene: Scene): Promise<string> {
  const { shifts } = await bestPlan(programs, inputOf(scene));
  return shifts
    .filter(({ stage }) => stage === 1)
    .map(({ userId, from, to }) => `${userId ?? '.'}${from / DAY}-${to / DAY}`)
    .join(' ');
}

describe('a shift that nobody can have as a whole', () => {
  it('is shared by people who can have part of it', async () => {
    const away = { A: [[2, 5] as const], B: [[0, 2] as const, [5.5, 7] as const] };
    assert.match(await line({ stages: [['A', 'B']], away, length: 7, to: 7 }), /^A0-2 B2-(5|5.5) A\S+-7$/);
  });

  it('stays open only while nobody is available', async () => {
    const away = { A: [[2, 5] as const], B: [[3, 4] as const] };
    assert.match(
      await line({ stages: [['A', 'B']], away, length: 7, to: 7 }),
      /^[AB]0\S+( B2-3)? \.3-4 B4\S+/,
    );
    assert.equal(
      await line({ stages: [['A']], away: { A: [[2, 5]] }, length: 7, to: 14 }),
      'A0-2 .2-5 A5-7 A7-14',
    );
  });

  it('is not cut if cutting covers no additional time', async () => {
    assert.equal(await line({ stages: [['A']], away: { A: [[-1, 8]] }, length: 7, to: 7 }), '.0-7');
    assert.equal(await line({ stages: [[]], length: 7, to: 7 }), '.0-7');
  });

  it('leaves everybody their rest, and no more time open than whole shifts would', async () => {
    for (const scene of fc.sample(smallScenes, { numRuns: 25, seed: 8 })) {
      const input = inputOf(scene);
      const [whole, best] = [await solvePlan(programs, input), await bestPlan(programs, input)];
      const told = JSON.stringify(scene);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const [before, after] = [uncoveredMs(whole.shifts), uncoveredMs(best.shifts)];
      assert.ok((after[0] ?? 0) <= (before[0] ?? 0), told);
      if (scene.stages.length === 1) assert.ok(sum(after) <= sum(before), told);
      for (const [userId, own] of Map.groupBy(best.shifts, (shift) => shift.userId)) {
        if (userId === null) continue;
        const sorted = own.toSorted((a, b) => a.from - b.from);
        for (const [index, shift] of sorted.entries()) {
          const records: readonly AvailabilityRecord[] = input.records.get(userId) ?? [];
          const isAway = records.some(
            ({ type, from, to }) => type === 'hard_unavailable' && from < shift.to && shift.from < to,
          );
          assert.ok(!isAway, `${userId} is away: ${told}`);
          const pause = shift.from - (sorted[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
          assert.ok(pause >= 0, `${userId} is in two places: ${told}`);
        }
      }
    }
  });
});
