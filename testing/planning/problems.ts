import type { Interval } from '../../src/kit/interval.ts';
import { type Costs, compareCosts } from '../../src/optimizer/levels.ts';
import { planInputOf } from '../../src/planning/revision.ts';
import { costsOf } from '../../src/planning/solver/costs.ts';
import type { Problem, ProblemInput, Slot } from '../../src/planning/solver/problem.ts';
import { termsOf } from '../../src/planning/solver/valuation.ts';
import type { Limits } from '../../src/schedules/limits.ts';
import type { Had } from '../schedules/juniors-by-hand.ts';
import { type ByHand, exceededByHand } from '../schedules/limits-by-hand.ts';
import { type Scene, situationOf } from './scene.ts';

/** A scene as input of the solver; days are UTC days, and day 0 is a Thursday. */
export function inputOf(scene: Scene, holidays: readonly string[] = []): ProblemInput {
  return {
    ...planInputOf(situationOf({ ...scene, strategy: 'fair' })),
    calendar: { timeZone: 'UTC', holidays: new Set(holidays) },
  };
}

/**
 * The costs of the best plan by brute force. It decides on its own which shifts exclude each other, and by `limits` what
 * one person may have besides what they `had`, and by `isAllowed` on the people of the slots together, to check the solver.
 */
export function bruteForce(
  problem: Problem,
  limits: (userId: string) => Limits = () => ({}),
  had: (userId: string) => readonly ByHand[] = () => [],
  isAllowed: (planned: readonly Had[]) => boolean = () => true,
): Costs {
  const { slots, candidates, restMs, people } = problem;
  const choice: number[] = slots.map(() => -1);
  let best: Costs | null = null;
  const decide = (slot: number): void => {
    if (slot === slots.length) {
      const isWithin = people.every((userId, person) => {
        const own = slots.filter((_, index) => choice[index] === person);
        return exceededByHand(limits(userId), [...had(userId), ...own], own).length === 0;
      });
      const planned = slots.flatMap(({ from, to }, slot): Had[] => {
        const userId = people[choice[slot] ?? -1];
        return userId === undefined ? [] : [{ from, to, userId }];
      });
      if (!isWithin || !isAllowed(planned)) return;
      const costs = costsOf(problem, termsOf(problem, choice));
      if (!best || compareCosts(costs, best) < 0) best = costs;
      return;
    }
    for (const { person } of candidates[slot] ?? []) {
      if (slots.some((other, index) => choice[index] === person && excludes(other, slots[slot], restMs)))
        continue;
      choice[slot] = person;
      decide(slot + 1);
      choice[slot] = -1;
    }
    decide(slot + 1);
  };
  decide(0);
  if (!best) throw new Error('there is always a plan');
  return best;
}

function pauseBetween(a: Interval, b: Interval): number {
  return Math.max(a.from - b.to, b.from - a.to);
}

function excludes(a: Slot, b: Slot | undefined, restMs: number): boolean {
  if (!b) return false;
  if (pauseBetween(a, b) < 0) return true;
  const [mine, theirs] = [a, b].map(({ left }) => left?.parts ?? (left ? [left] : []));
  const pauses = (mine ?? []).flatMap((part) => (theirs ?? []).map((other) => pauseBetween(part, other)));
  return Math.min(...pauses) < restMs && !(a.stage === b.stage && a.isAlwaysOn);
}
