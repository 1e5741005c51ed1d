/**
 * What the planner minimises, in points. Coverage comes first and moves second, whatever they would cost otherwise (see
 * `levels.ts`): their points only tell their size.
 */
export const WEIGHTS = {
  /** A shift of the highest stage that nobody has; three times as much with each stage below. */
  uncovered: 20_000,
  uncoveredStep: 3,
  /** No stage has anybody: only the backstop answers. */
  unanswered: 20_000,
  /** A shift that was planned before and goes to somebody else. */
  moved: 1_000,
  /** The same where all shifts are given away anew: between equals, what is published stays. */
  movedAnew: 1,
  /** A shift that touches a time at which its person would rather not. */
  soft: 40,
  /** A shift at the time of one that its person has in another schedule. */
  elsewhere: 60,
  /** A shift that touches a time for which its person asked; taken off. */
  requested: 12,
  /** Two shifts of one person without a pause. */
  backToBack: 6,
  /** Two pieces in a row of one shared shift that stay with one person; taken off. */
  together: 20,
  /** The square of what somebody has more or less than their share, in shifts. */
  total: 9,
  first: 8,
  night: 12,
  weekend: 16,
  holiday: 24,
} as const;

/** Beyond this many stages all lower ones weigh the same: the figures must stay exact. */
const MOST_STEPS = 5;

/** All points of coverage are whole multiples: a twentieth of a shift of the highest stage. */
export const COVERAGE_UNIT = WEIGHTS.uncovered / 20;

/**
 * Points for a shift that nobody has. `above`: how many stages are higher; `length`: of the shift in usual shifts,
 * counted in twentieths, so that a short rest stays empty rather than a whole shift.
 */
export function uncoveredWeight(above: number, length: number): number {
  const parts = Math.min(80, Math.max(1, Math.round(length * 20)));
  return COVERAGE_UNIT * WEIGHTS.uncoveredStep ** Math.min(above, MOST_STEPS) * parts;
}
