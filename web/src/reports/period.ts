import type { Zone } from '../kit/zones.ts';
import type { ReportSearch } from './search.ts';

/** A time that is reported on, in epoch milliseconds. */
export type Span = { from: number; to: number };

const WEEKS = { '4w': 4, '12w': 12, '52w': 52 } as const;
const WEEKS_AHEAD = 12;
/** What one report covers at most. */
const MOST_DAYS = 365;

/** Whole weeks up to the end of today, or from today on; or the days that were chosen, as far as they make sense. */
export function spanOf(search: ReportSearch, zone: Zone, now: number): Span {
  const today = zone.startOfDay(now);
  const tomorrow = zone.addDays(today, 1);
  const { period = '4w' } = search;
  if (period === 'ahead') return { from: today, to: zone.addDays(today, WEEKS_AHEAD * 7) };
  if (period !== 'dates')
    return { from: zone.addDays(zone.startOfWeek(now), -7 * (WEEKS[period] - 1)), to: tomorrow };
  const last = zone.ofDate(search.to);
  const to = last === null ? tomorrow : zone.addDays(last, 1);
  const from = zone.ofDate(search.from) ?? zone.addDays(to, -28);
  const earliest = zone.addDays(to, -MOST_DAYS);
  return from >= to ? { from: zone.addDays(to, -1), to } : { from: Math.max(from, earliest), to };
}
