/**
 * The objectives in order: any number of moves is better than an uncovered shift, and nothing in the last level
 * justifies a move. In a fresh plan, moves belong to the last level.
 */
export const LEVELS = ['coverage', 'moves', 'rest'] as const;
export type LevelName = (typeof LEVELS)[number];

/** Points by level. */
export type Costs = Readonly<Record<LevelName, number>>;

/** Tolerance for comparing costs, which are sums of many parts. */
export const EXACT = 1e-4;

/** Negative if `a` is better. */
export function compareCosts(a: Costs, b: Costs): number {
  for (const level of LEVELS) if (Math.abs(a[level] - b[level]) > EXACT) return a[level] - b[level];
  return 0;
}
