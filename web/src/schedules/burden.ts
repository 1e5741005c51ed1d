import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import type { Span } from './queries.ts';

export type Burden = {
  hours: number;
  /** Nights of which the hours from midnight to six were on call, in part or whole. */
  nights: number;
  /** Saturdays and Sundays on call, in part or whole. */
  weekendDays: number;
};

const NIGHT_ENDS_MS = 6 * 3_600_000;

/** What one person carries within a time; what two shifts cover at once counts once for nights and days. */
export function burdenOf(personId: string, shifts: readonly TimelineShift[], span: Span, zone: Zone): Burden {
  const nights = new Set<number>();
  const weekendDays = new Set<number>();
  let hours = 0;
  for (const shift of shifts) {
    if (shift.person?.id !== personId) continue;
    const from = Math.max(span.from, Date.parse(shift.starts_at));
    const to = Math.min(span.to, Date.parse(shift.ends_at));
    if (from >= to) continue;
    hours += (to - from) / 3_600_000;
    for (let day = zone.startOfDay(from); day < to; day = zone.addDays(day, 1)) {
      if (from < day + NIGHT_ENDS_MS && to > day) nights.add(day);
      if (zone.weekday(day) >= 6) weekendDays.add(day);
    }
  }
  return { hours, nights: nights.size, weekendDays: weekendDays.size };
}
