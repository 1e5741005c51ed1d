import type { Costs, LevelName } from '../../optimizer/levels.ts';
import type { Problem } from './problem.ts';
import type { Terms } from './valuation.ts';
import { WEIGHTS } from './weights.ts';

/** The level to which a moved shift adds its cost, and its points. */
export function moveCost({ closeness }: Pick<Problem, 'closeness'>): { level: LevelName; points: number } {
  return closeness === 'first'
    ? { level: 'moves', points: WEIGHTS.moved }
    : { level: 'rest', points: WEIGHTS.movedAnew };
}

/** The number of moves that count if a slot goes to another person. */
export function moveUnits(
  problem: Pick<Problem, 'closeness' | 'soonWeight' | 'slots'>,
  slot: number,
): number {
  const isSoon = problem.closeness === 'first' && problem.slots[slot]?.isSoon;
  return isSoon ? 1 + problem.soonWeight : 1;
}

export function costsOf(problem: Pick<Problem, 'closeness'>, terms: Terms): Costs {
  const { uncovered, unanswered, moved, movedSoon, soft, elsewhere, requested, backToBack, shares } = terms;
  const rest = soft + elsewhere + requested + backToBack + shares;
  const coverage = uncovered + unanswered;
  return problem.closeness === 'first'
    ? { coverage, moves: moved + movedSoon, rest }
    : { coverage, moves: 0, rest: rest + moved };
}
