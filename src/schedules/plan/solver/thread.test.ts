import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { modelOf } from './model.ts';
import { greedyChoice, solvePlan } from './planning.ts';
import { problemOf } from './problem.ts';
import { inputOf } from './testing.ts';
import { createSolver } from './thread.ts';

const names = Array.from({ length: 8 }, (_, index) => `P${index}`);
const large = inputOf({ stages: [names, names], to: 120, restHours: 24 });

describe('the thread of the solver', () => {
  it('gives the best plan that it has when time is up, with what is proven of it', async () => {
    const problem = problemOf(large);
    const solution = await solvePlan(createSolver(), large, 0.01);
    assert.notEqual(solution.origin, 'optimal');
    assert.equal(solution.shifts.length, problem.slots.length);
    assert.ok(solution.shifts.every(({ userId }) => userId !== null));
    if (solution.bound !== null) assert.ok(solution.bound <= solution.objective);
  });

  it('answers with nothing when it fails, and the plan is the greedy one', async () => {
    const problem = problemOf(large);
    const model = { ...modelOf(problem), starts: new Int32Array(0) };
    const solver = createSolver();
    assert.deepEqual(await solver.solve({ model, start: null, timeLimitSeconds: 1 }), {
      status: 'stopped',
      choice: null,
      bounds: { coverage: null, moves: null, rest: null },
      solver: 'none',
    });
    const broken = {
      solve: (request: Parameters<typeof solver.solve>[0]) => solver.solve({ ...request, model }),
    };
    const { origin, gap, shifts } = await solvePlan(broken, large);
    assert.deepEqual([origin, gap], ['greedy', null]);
    const choice = shifts.map(({ userId, stage, from }) => ({ userId, stage, from }));
    const greedy = greedyChoice(large, problem);
    for (const [slot, person] of (greedy ?? []).entries()) {
      const { stage, from } = problem.slots[slot] ?? {};
      assert.ok(
        choice.some(
          (shift) => shift.stage === stage && shift.from === from && shift.userId === problem.people[person],
        ),
      );
    }
  });

  it('refuses programs that would take too much memory', async () => {
    const model = { ...modelOf(problemOf(large)), numCols: 1_000_000 };
    const answer = await createSolver().solve({ model, start: null, timeLimitSeconds: 1 });
    assert.equal(answer.choice, null);
  });

  it('solves one program after the other', async () => {
    const solver = createSolver();
    const small = inputOf({ stages: [['A', 'B']], to: 6 });
    const ended: string[] = [];
    await Promise.all([
      solvePlan(solver, large, 1).then(() => ended.push('first')),
      solvePlan(solver, small).then(() => ended.push('second')),
    ]);
    assert.deepEqual(ended, ['first', 'second']);
  });
});
