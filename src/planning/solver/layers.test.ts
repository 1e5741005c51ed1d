import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { situationOf } from '../../../testing/planning/scene.ts';
import { programsHere } from '../../optimizer/programs.ts';
import { planInputOf } from '../revision.ts';
import { solvePlan } from './planning.ts';
import { type ProblemInput, problemOf } from './problem.ts';

/** Ada has the first stage. Ben and Cleo each have a layer of the second one. */
function inLayers(away: Record<string, [number, number][]> = {}): ProblemInput {
  const situation = situationOf({ strategy: 'fair', stages: [['ada'], ['ben'], ['cleo']], to: 2, away });
  const stages = situation.stages.map((stage, index) =>
    index === 0 ? stage : { ...stage, stage: 2, firstSeat: index },
  );
  return {
    ...planInputOf({ ...situation, stages }),
    calendar: { timeZone: 'UTC', holidays: new Set() },
  };
}

describe('a stage in layers', () => {
  it('is one stage when a plan weighs which shifts stay open', () => {
    const weights = problemOf(inLayers()).slots.map(({ stage, uncoveredWeight }) => [stage, uncoveredWeight]);
    assert.deepEqual(
      new Map(weights.map(([stage, weight]) => [stage, weight])),
      new Map([
        [1, 60_000],
        [2, 20_000],
      ]),
    );
  });

  it('has gaps that are explained by the people of their layer', async () => {
    const { shifts } = await solvePlan(programsHere(), inLayers({ ben: [[0, 1]] }));
    const [gap, none] = shifts.filter(({ userId }) => userId === null);
    assert.deepEqual([gap?.stage, gap?.seat, none], [2, 1, undefined]);
    assert.deepEqual(
      gap?.contradiction?.obstacles.map(({ userId, because }) => [userId, because]),
      [['ben', 'unavailable']],
    );
  });
});
