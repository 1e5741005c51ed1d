import type { ZoneDays } from '../kit/zone-days-contract.ts';

/** The period of a report, in epoch milliseconds. */
export type Span = { from: number; to: number };

/** What a report shows at first. */
export const USUAL_WEEKS = 4;

/** Whole weeks, of which today is in the last, until the end of today. */
export function lastWeeks(days: ZoneDays, now: number, weeks: number = USUAL_WEEKS): Span {
  return {
    from: days.addDays(days.startOfWeek(now), -7 * (weeks - 1)),
    to: days.addDays(days.startOfDay(now), 1),
  };
}

/** What a report covers. `team` null: the whole organization. */
export function reportRange(span: Span, team: string | null) {
  return {
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    ...(team === null ? {} : { team }),
  };
}
