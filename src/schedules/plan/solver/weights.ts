/**
 * What the planner minimises, in points. The steps between the groups are wide: no number of wishes that occurs in
 * practice outweighs a shift that moves, and no number of moves a shift that nobody has.
 */
export const WEIGHTS = {
  /** A shift of the highest stage that nobody has, at least; three times as much with each stage below. */
  uncovered: 20_000,
  uncoveredStep: 3,
  /** No stage has anybody: only the backstop answers. */
  unanswered: 20_000,
  /** A shift that was planned before and goes to somebody else. */
  moved: 1_000,
  /** A shift that touches a time at which its person would rather not. */
  soft: 40,
  /** A shift that touches a time for which its person asked; taken off. */
  requested: 12,
  /** Two shifts of one person without a pause. */
  backToBack: 6,
  /** The square of what somebody has more or less than their share, in shifts. */
  total: 9,
  first: 8,
  night: 12,
  weekend: 16,
  holiday: 24,
} as const;

/** Beyond this many stages all lower ones weigh the same: the figures must stay exact. */
const MOST_STEPS = 5;

/**
 * The points of `uncovered` in a problem of so many shifts and people. Shares weigh by their squares, and one gap can
 * let many shifts change hands: it must not pay even where two people would otherwise have all nights and all days.
 */
export function uncoveredBase(shifts: number, people: number): number {
  const { total, first, night, weekend, holiday } = WEIGHTS;
  const allKinds = total + first + night + weekend + holiday;
  return Math.max(WEIGHTS.uncovered, Math.ceil((allKinds * shifts ** 2) / Math.max(1, people)));
}

/**
 * Points for a shift that nobody has. `base`: of the highest stage; `above`: how many stages are higher; `length`: of the shift in usual shifts,
 * counted in quarters, so that a short rest stays empty rather than a whole shift.
 */
export function uncoveredWeight(base: number, above: number, length: number): number {
  const quarters = Math.min(16, Math.max(1, Math.round(length * 4)));
  return (base * WEIGHTS.uncoveredStep ** Math.min(above, MOST_STEPS) * quarters) / 4;
}
