import type { Problem } from './problem.ts';
import type { Terms } from './valuation.ts';
import { WEIGHTS } from './weights.ts';

/**
 * What is minimised, one after the other: no number of moves outweighs a shift that nobody has, and nothing outweighs a
 * move. In a plan that is made anew moves come with the rest.
 */
export const LEVELS = ['coverage', 'moves', 'rest'] as const;
export type LevelName = (typeof LEVELS)[number];

/** Points by level. */
export type Costs = Readonly<Record<LevelName, number>>;

/** The level in which a move counts, and its points. */
export function moveCost({ closeness }: Pick<Problem, 'closeness'>): { level: LevelName; points: number } {
  return closeness === 'first'
    ? { level: 'moves', points: WEIGHTS.moved }
    : { level: 'rest', points: WEIGHTS.movedAnew };
}

/** How many moves it counts as that a slot goes to somebody else. */
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

/** Figures are sums of many parts: what differs by less is the same. */
export const EXACT = 1e-4;

/** Negative when `a` is better. */
export function compareCosts(a: Costs, b: Costs): number {
  for (const level of LEVELS) if (Math.abs(a[level] - b[level]) > EXACT) return a[level] - b[level];
  return 0;
}
