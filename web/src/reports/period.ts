import { lastWeeks, type Span, USUAL_WEEKS } from '../../../src/reports/span-contract.ts';
import type { Zone } from '../kit/zones.ts';
import type { ReportSearch } from './search.ts';

const WEEKS = { '4w': USUAL_WEEKS, '12w': 12, '52w': 52 } as const;
const WEEKS_AHEAD = 12;
/** The longest period of a report. */
const MOST_DAYS = 365;

/** Whole weeks until the end of today or from today on, or the chosen dates as far as they are valid. */
export function spanOf(search: ReportSearch, zone: Zone, now: number): Span {
  const today = zone.startOfDay(now);
  const tomorrow = zone.addDays(today, 1);
  const { period = '4w' } = search;
  if (period === 'ahead') return { from: today, to: zone.addDays(today, WEEKS_AHEAD * 7) };
  if (period !== 'dates') return lastWeeks(zone, now, WEEKS[period]);
  const last = zone.ofDate(search.to);
  const to = last === null ? tomorrow : zone.addDays(last, 1);
  const from = zone.ofDate(search.from) ?? zone.addDays(to, -28);
  const earliest = zone.addDays(to, -MOST_DAYS);
  return from >= to ? { from: zone.addDays(to, -1), to } : { from: Math.max(from, earliest), to };
}
