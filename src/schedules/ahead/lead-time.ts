/** How long ahead people are notified: once a week, once a day and once an hour before. In milliseconds. */
export const LEAD_TIMES = { week: 7 * 24 * 3_600_000, day: 24 * 3_600_000, hour: 3_600_000 } as const;
export type LeadTime = keyof typeof LEAD_TIMES;

/** The shortest lead time that includes something this far ahead; null if it is further away than a week. */
export function leadTimeOf(aheadMs: number): LeadTime | null {
  if (aheadMs <= LEAD_TIMES.hour) return 'hour';
  if (aheadMs <= LEAD_TIMES.day) return 'day';
  return aheadMs <= LEAD_TIMES.week ? 'week' : null;
}
