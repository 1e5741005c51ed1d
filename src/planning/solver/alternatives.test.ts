import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { inputOf } from '../../../testing/planning/problems.ts';
import { planned } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { othersFor } from './alternatives.ts';
import { comparedBy } from './compared.ts';
import { greedyChoice } from './planning.ts';
import { problemOf } from './problem.ts';
import { heldBy, isPossible, termsOf, totalOf } from './valuation.ts';

it('an alternative is possible, has the cost of the complete plan, and comes with the reasons against it', () => {
  let tried = 0;
  for (const scene of fc.sample(smallScenes, { numRuns: 200, seed: 3 })) {
    const rows = planned({ ...scene, strategy: 'fair', away: {} });
    const input = inputOf({ ...scene, rows });
    const problem = problemOf(input);
    const choice = greedyChoice(input, problem);
    if (!choice) continue;
    const before = totalOf(termsOf(problem, choice));
    for (const slot of problem.slots.keys())
      for (const alternative of othersFor({ problem, choice, held: heldBy(problem, choice) }, slot)
        .alternatives) {
        const { userId, cost, swap } = alternative;
        const after = choice.slice();
        const taker = problem.people.indexOf(userId);
        const back = problem.slots.findIndex(
          ({ stage, from }, index) => stage === swap?.stage && from === swap.from && choice[index] === taker,
        );
        if (swap) after[back] = choice[slot] ?? -1;
        after[slot] = taker;
        assert.ok(isPossible(problem, after));
        assert.ok(Math.abs(totalOf(termsOf(problem, after)) - before - cost) < 1e-6, JSON.stringify(scene));
        const compared = comparedBy({ problem, choice, held: heldBy(problem, choice) }, slot, alternative);
        // Every cost of an alternative has a name, unless nobody had the shift.
        if (cost > 0.5 && choice[slot] !== -1) assert.ok(compared.length > 0, JSON.stringify(scene));
        assert.ok(compared.length <= 2);
        const softDates = (wanted: string) =>
          (scene.wishes ?? []).some(({ who, type }) => who === wanted && type === 'soft_unavailable');
        for (const one of compared)
          if (one.what === 'soft')
            assert.ok(softDates(one.who === 'taker' ? userId : (problem.people[choice[slot] ?? -1] ?? '')));
        tried++;
      }
  }
  assert.ok(tried > 100, `${tried}`);
});
