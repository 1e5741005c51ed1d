import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { situationOf } from '../../../testing/planning/scene.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { planInputOf } from '../revision.ts';
import { bestPlan } from './best-plan.ts';
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

const HOUR = 3_600_000;
/** Hand-offs and hours of a layer, in hours from the beginning. */
type Layer = { handoffs: readonly number[]; hours?: readonly (readonly [number, number])[] };

/** Two layers in which Ada is alone. */
function withHours(
  layers: readonly [Layer, Layer],
  away: Record<string, [number, number][]> = {},
): ProblemInput {
  const situation = situationOf({ strategy: 'fair', stages: [['ada'], ['ada']], to: 2, away });
  const stages = situation.stages.map((stage, index) => {
    const { handoffs = [], hours } = layers[index] ?? {};
    const windows = hours?.map(([from, to]) => ({ from: from * HOUR, to: to * HOUR }));
    return {
      ...{ ...stage, stage: 1, firstSeat: index + 1, handoffs: handoffs.map((at) => at * HOUR) },
      ...(windows ? { windows } : {}),
    };
  });
  return {
    ...planInputOf({ ...situation, stages }),
    calendar: { timeZone: 'UTC', holidays: new Set() },
  };
}

/** `2 9-17 ada`: who has each seat, and when. */
const told = (shifts: readonly PlannedShift[]) =>
  shifts.map(({ seat, from, to, userId }) => `${seat} ${from / HOUR}-${to / HOUR} ${userId ?? '.'}`);

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

  it('counts two shifts without a break although a shift of the other layer begins between their beginnings', async () => {
    const first = {
      handoffs: [0, 17, 30],
      hours: [
        [9, 10],
        [16, 18],
      ],
    } as const;
    const second = {
      handoffs: [12, 24],
      hours: [
        [12, 13],
        [21, 22],
      ],
    } as const;
    const { shifts, terms, gap } = await solvePlan(programsHere(), withHours([first, second]));
    assert.deepEqual(told(shifts), ['1 9-17 ada', '1 17-18 ada', '2 12-22 ada']);
    assert.deepEqual([terms.backToBack, gap], [6, 0]);
  });

  it('has a shared shift if only the hours of the other layer stay open for it', async () => {
    // Ada is away from 18:00. She can have the 15 hours of the week, or 18 of the 24 of the day.
    const week = {
      handoffs: [0, 168],
      hours: [
        [9, 14],
        [81, 86],
        [153, 158],
      ],
    } as const;
    const input = withHours([{ handoffs: [0, 24] }, week], { ada: [[0.75, 1]] });
    const { shifts } = await bestPlan(programsHere(), input);
    assert.deepEqual(told(shifts), ['1 0-18 ada', '1 18-24 .', '2 9-158 .']);
  });
});
