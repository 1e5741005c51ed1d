/**
 * What the planner minimizes, in points. Coverage comes first and moves second regardless of their points (see
 * `levels.ts`); points only compare costs within a level.
 */
export const WEIGHTS = {
  /** An uncovered shift of the highest stage; three times as much for each stage below. */
  uncovered: 20_000,
  uncoveredStep: 3,
  /** A time at which no stage has anybody, so that only the backstop answers. */
  unanswered: 20_000,
  /** A published shift that goes to another person. */
  moved: 1_000,
  /** The same in a fresh plan, which prefers the published person only between equals. */
  movedAnew: 1,
  /** A shift that overlaps a time when the person prefers not to be on call. */
  soft: 40,
  /** A shift at the same time as one that the person has in another schedule. */
  elsewhere: 60,
  /** A shift that overlaps a time for which the person asked. Subtracted. */
  requested: 12,
  /** Two consecutive shifts of one person without a pause. */
  backToBack: 6,
  /** Two consecutive pieces of a shared shift that stay with one person. Subtracted. */
  together: 20,
  /** Weights of the squared deviation from a person's share, in shifts. */
  total: 9,
  first: 8,
  night: 12,
  weekend: 16,
  holiday: 24,
} as const;

/** Beyond this many stages, all lower ones weigh the same, so that the sums stay exact. */
const MOST_STEPS = 5;

/** All coverage points are multiples of this: a twentieth of a shift of the highest stage. */
export const COVERAGE_UNIT = WEIGHTS.uncovered / 20;

/**
 * Points for an uncovered shift. `above`: how many stages are higher; `length`: in usual shifts, rounded to twentieths,
 * so that a short remainder is left open rather than a whole shift.
 */
export function uncoveredWeight(above: number, length: number): number {
  const parts = Math.min(80, Math.max(1, Math.round(length * 20)));
  return COVERAGE_UNIT * WEIGHTS.uncoveredStep ** Math.min(above, MOST_STEPS) * parts;
}
