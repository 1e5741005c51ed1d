/** How long ahead people are told: each thing once a week, once a day and once an hour before. */
export const NOTCHES = { week: 7 * 24 * 3_600_000, day: 24 * 3_600_000, hour: 3_600_000 } as const;
export type Notch = keyof typeof NOTCHES;

/** The last notch that was passed when something is so far ahead; null while it is further than a week. */
export function notchOf(aheadMs: number): Notch | null {
  if (aheadMs <= NOTCHES.hour) return 'hour';
  if (aheadMs <= NOTCHES.day) return 'day';
  return aheadMs <= NOTCHES.week ? 'week' : null;
}
