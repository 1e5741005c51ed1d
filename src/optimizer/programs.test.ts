import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inputOf } from '../../testing/planning/problems.ts';
import { modelOf } from '../planning/solver/model.ts';
import { problemOf } from '../planning/solver/problem.ts';
import { NOTHING, programsHere } from './programs.ts';

it('refuses programs that would take too much memory', async () => {
  const model = { ...modelOf(problemOf(inputOf({ stages: [['A', 'B']] }))), numCols: 1_000_000 };
  const answer = await programsHere().solve({ model, start: null, timeLimitSeconds: 1 });
  assert.deepEqual(answer, NOTHING);
});
