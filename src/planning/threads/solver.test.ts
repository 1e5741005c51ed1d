import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Failing } from '../../../testing/planning/failing-worker.ts';
import { inputOf } from '../../../testing/planning/problems.ts';
import { solverForTests } from '../../../testing/planning/solver.ts';
import { compiledHighs } from '../../optimizer/compiled.ts';
import { greedyChoice } from '../solver/planning.ts';
import { problemOf } from '../solver/problem.ts';
import { STRATEGIES } from '../strategies.ts';
import { createSolver } from './solver.ts';

const names = Array.from({ length: 8 }, (_, index) => `P${index}`);
const large = inputOf({ stages: [names, names], to: 120, restHours: 24 });
const many = Array.from({ length: 20 }, (_, index) => `P${index}`);
/** No machine proves this plan in the hundredth of a second that remains for a program when no time is left. */
const endless = inputOf({ stages: [many, many], to: 365, restHours: 48 });
const small = inputOf({ stages: [['A', 'B']], to: 6 });

const failing = createSolver({
  worker: new URL('../../../testing/planning/failing-worker.ts', import.meta.url),
});
function thatFails<T>(given: T, fails: Failing['fails']): T & Failing {
  return { ...given, fails };
}

describe('the solver', () => {
  it('finds the same in a thread as in the main thread', async () => {
    const gone = inputOf({ stages: [['A', 'B']], away: { A: [[0, 3]], B: [[2, 4]] }, to: 6 });
    for (const input of [small, gone]) {
      const { seconds: _, ...inThread } = await createSolver().bestPlan(input);
      const { seconds: __, ...here } = await solverForTests().bestPlan(input);
      assert.deepEqual(inThread, here);
    }
  });

  it('compiles the program that solves once for all threads', async () => {
    assert.equal(await compiledHighs(), await compiledHighs());
  });

  it('returns the best plan so far when time is up, with the proven bound', async () => {
    const problem = problemOf(endless);
    const solution = await createSolver({ mostSeconds: 0 }).bestPlan(endless);
    assert.notEqual(solution.origin, 'optimal');
    assert.equal(solution.shifts.length, problem.slots.length);
    assert.ok(solution.shifts.every(({ userId }) => userId !== null));
    if (solution.bound !== null) assert.ok(solution.bound <= solution.objective);
  });

  it('reports its progress', async () => {
    const heard: number[] = [];
    const { objective } = await createSolver().bestPlan(large, (soFar) => heard.push(soFar.objective));
    assert.ok(heard.length > 0);
    assert.ok(heard.every((one) => one >= objective - 1e-6));
  });

  it('gives the greedy plan when the thread fails before it has found anything', async () => {
    const problem = problemOf(large);
    const { origin, gap, solver, shifts } = await failing.bestPlan(thatFails(large, 'at once'));
    assert.deepEqual([origin, gap, solver], ['greedy', null, 'none']);
    for (const [slot, person] of greedyChoice(large, problem).entries()) {
      const { stage, from } = problem.slots[slot] ?? {};
      const shift = shifts.find((one) => one.stage === stage && one.from === from);
      assert.equal(shift?.userId, problem.people[person]);
    }
  });

  it('returns the best plan that the thread reported before it failed', async () => {
    const { origin, objective } = await failing.bestPlan(thatFails(large, 'late'));
    const whole = await solverForTests().bestPlan(large);
    assert.equal(origin, 'time_limit');
    assert.ok(Math.abs(objective - whole.objective) < 1e-6);
  });

  it('gives the reason when no plan can be computed, and continues with the next', async () => {
    const refused = assert.rejects(failing.bestPlan(thatFails(large, 'always')), /nothing can be worked out/);
    const { origin } = await failing.bestPlan(thatFails(small, 'late'));
    assert.equal(origin, 'time_limit');
    await refused;
  });

  it('makes one plan at a time', async () => {
    const solver = createSolver({ mostSeconds: 1 });
    const ended: string[] = [];
    await Promise.all([
      solver.bestPlan(large).then(() => ended.push('first')),
      solver.bestPlan(small).then(() => ended.push('second')),
    ]);
    assert.deepEqual(ended, ['first', 'second']);
  });

  it('starts a thread for rotations with many choices, and does not make them wait for other plans', async () => {
    const many = inputOf({ stages: [names, names], to: 200 });
    const solver = createSolver({ mostSeconds: 1 });
    const ended: string[] = [];
    await Promise.all([
      // It uses up its second, so it ends later than a thread that only takes turns.
      solver.bestPlan(endless).then(() => ended.push('solved')),
      solver.inTurns('rotation', many).then((shifts) => {
        ended.push('in turns');
        assert.deepEqual(shifts, STRATEGIES.rotation.plan(many));
      }),
    ]);
    assert.deepEqual(ended, ['in turns', 'solved']);
  });
});
