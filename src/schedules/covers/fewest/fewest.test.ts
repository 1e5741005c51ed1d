import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { solverForTests } from '../../plan/solver/testing.ts';
import { fewestChanges } from './fewest.ts';
import { leastByTrying, resultOf, smallRotas } from './testing.ts';

describe('the fewest changes', () => {
  it('are those that trying everything finds', async () => {
    const solver = await solverForTests();
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(smallRotas, async (scene) => {
        const joint = await fewestChanges(solver, scene.roster, scene.hits, -1);
        assert.ok(joint, 'nothing was found');
        // Where somebody declined it may not be.
        fc.pre(joint.proven || scene.hits.every(({ not }) => not.length === 0));
        assert.ok(joint.proven);
        const found = resultOf(scene, joint.moves);
        assert.deepEqual(found, leastByTrying(scene, found.changes));
        seen.set(found.changes, (seen.get(found.changes) ?? 0) + 1);
      }),
      { numRuns: 300, seed: 5 },
    );
    assert.deepEqual(
      [1, 2, 3, 4, 5].filter((count) => !seen.has(count)),
      [],
      JSON.stringify([...seen]),
    );
  });
});
