import type { Span } from '../schedules/plan/planner.ts';
import { type Burden, type Calendar, type LocalDay, localDay } from '../schedules/plan/solver/burdens.ts';
import type { HoursByKind } from './api-contract.ts';

/** How much of a time lies where, in milliseconds. */
export type Measured = Record<Burden | 'all', number> & {
  /** Each moment once. */
  split: HoursByKind;
};

/** Shifts reach beyond a period; times further than this from it are not asked for. */
export const MARGIN_DAYS = 40;

/**
 * Measures times by a calendar: from `MARGIN_DAYS` before `period` to as much after it. The days are looked up once;
 * many shifts have the same times.
 */
export function measurer(calendar: Calendar, period: Span): (span: Span) => Measured {
  const days = daysAround(calendar, period);
  const known = new Map<number, Map<number, Measured>>();
  return (span) => {
    const sameStart = known.get(span.from) ?? new Map<number, Measured>();
    known.set(span.from, sameStart);
    const measured = sameStart.get(span.to) ?? measure(span, days);
    sameStart.set(span.to, measured);
    return measured;
  };
}

export function nothing(): Measured {
  return { all: 0, night: 0, weekend: 0, holiday: 0, split: { day: 0, night: 0, weekend: 0, holiday: 0 } };
}

export function add(sum: Measured, more: Measured): void {
  for (const kind of ['all', 'night', 'weekend', 'holiday'] as const) sum[kind] += more[kind];
  for (const kind of ['day', 'night', 'weekend', 'holiday'] as const) sum.split[kind] += more.split[kind];
}

function daysAround(calendar: Calendar, { from, to }: Span): LocalDay[] {
  const date = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(calendar.timeZone).toPlainDate();
  const margin = { days: MARGIN_DAYS + 2 };
  const last = date(to).add(margin);
  const days: LocalDay[] = [];
  for (
    let day = date(from).subtract(margin);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  )
    days.push(localDay(day, calendar));
  return days;
}

function measure(span: Span, days: readonly LocalDay[]): Measured {
  const sum = nothing();
  for (let index = firstEndingAfter(days, span.from); ; index++) {
    const today = days[index];
    if (!today || today.day.from >= span.to) return sum;
    const part = { from: Math.max(span.from, today.day.from), to: Math.min(span.to, today.day.to) };
    const length = part.to - part.from;
    const yesterday = days[index - 1];
    const night = common(part, today.night) + (yesterday ? common(part, yesterday.night) : 0);
    sum.all += length;
    sum.night += night;
    if (today.isWeekend) sum.weekend += length;
    if (today.isHoliday) sum.holiday += length;
    if (today.isHoliday) sum.split.holiday += length;
    else if (today.isWeekend) sum.split.weekend += length;
    else {
      sum.split.night += night;
      sum.split.day += length - night;
    }
  }
}

function firstEndingAfter(days: readonly LocalDay[], at: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle]?.day.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function common(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}
