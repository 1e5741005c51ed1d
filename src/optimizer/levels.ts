/**
 * What is minimised, one after the other: no number of moves outweighs a shift that nobody has, and nothing outweighs a
 * move. In a plan that is made anew moves come with the rest.
 */
export const LEVELS = ['coverage', 'moves', 'rest'] as const;
export type LevelName = (typeof LEVELS)[number];

/** Points by level. */
export type Costs = Readonly<Record<LevelName, number>>;

/** Figures are sums of many parts: what differs by less is the same. */
export const EXACT = 1e-4;

/** Negative when `a` is better. */
export function compareCosts(a: Costs, b: Costs): number {
  for (const level of LEVELS) if (Math.abs(a[level] - b[level]) > EXACT) return a[level] - b[level];
  return 0;
}
