import { clip, type Interval, overlapMs } from '../kit/interval.ts';
import type { Stint } from './planner.ts';

/** What makes a shift weigh more for a person. */
export type Burden = 'night' | 'weekend' | 'holiday';

export type Calendar = {
  /** IANA name. */
  timeZone: string;
  /** Local dates, such as `2026-12-25`. */
  holidays: ReadonlySet<string>;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The fraction of a weekend or holiday that makes a shift one. */
export const ENOUGH_MS = 12 * HOUR;
const NIGHT = { from: '22:00', to: '06:00' };

/** How much of a time falls into nights, weekends and holidays, in milliseconds. */
export type Measured = Record<Burden | 'all', number> & {
  /** Counts each moment once: as a holiday, otherwise as a weekend, otherwise as a night, otherwise as a day. */
  split: Record<Burden | 'day', number>;
};

export type Measure = (span: Interval) => Measured;

/**
 * Classifies shifts: a weekend (Saturday and Sunday) or a holiday if twelve hours or half of the shift fall into one, a
 * night if half of it falls between 22:00 and 06:00. All in local time.
 */
export function burdensIn(calendar: Calendar): (shift: Stint) => ReadonlySet<Burden> {
  return burdensBy(measurer(calendar));
}

export function burdensBy(measure: Measure): (shift: Stint) => ReadonlySet<Burden> {
  return (shift) => burdensOf(measureAll(shift.parts ?? [shift], measure));
}

/** Measures spans by a calendar. Results are cached, because many shifts have the same days and times. */
export function measurer(calendar: Calendar): Measure {
  const dayAt = localDays(calendar);
  const known = new Map<number, Map<number, Measured>>();
  return (span) => {
    const sameStart = known.get(span.from) ?? new Map<number, Measured>();
    known.set(span.from, sameStart);
    const measured = sameStart.get(span.to) ?? measureDays(span, dayAt);
    sameStart.set(span.to, measured);
    return measured;
  };
}

/** Most shifts are a single span, whose measure is cached. */
export function measureAll(spans: readonly Interval[], measure: Measure): Measured {
  const [first, second] = spans;
  if (first && !second) return measure(first);
  const sum = nothing();
  for (const span of spans) add(sum, measure(span));
  return sum;
}

export function nothing(): Measured {
  return { all: 0, night: 0, weekend: 0, holiday: 0, split: { day: 0, night: 0, weekend: 0, holiday: 0 } };
}

export function add(sum: Measured, more: Measured): void {
  for (const kind of ['all', 'night', 'weekend', 'holiday'] as const) sum[kind] += more[kind];
  for (const kind of ['day', 'night', 'weekend', 'holiday'] as const) sum.split[kind] += more.split[kind];
}

/** A local day and the night that begins on it. */
export type LocalDay = { day: Interval; night: Interval; isWeekend: boolean; isHoliday: boolean };

export function localDay(date: Temporal.PlainDate, { timeZone, holidays }: Calendar): LocalDay {
  const next = date.add({ days: 1 });
  const at = (day: Temporal.PlainDate, plainTime: string) =>
    day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  return {
    day: { from: at(date, '00:00'), to: at(next, '00:00') },
    night: { from: at(date, NIGHT.from), to: at(next, NIGHT.to) },
    isWeekend: date.dayOfWeek > 5,
    isHoliday: holidays.has(date.toString()),
  };
}

/** Local days by the number of days since 1 January 1970. */
function localDays(calendar: Calendar): (number: number) => LocalDay {
  const first = Temporal.PlainDate.from('1970-01-01');
  const days = new Map<number, LocalDay>();
  return (number) => {
    const day = days.get(number) ?? localDay(first.add({ days: number }), calendar);
    days.set(number, day);
    return day;
  };
}

function measureDays(span: Interval, dayAt: (number: number) => LocalDay): Measured {
  const sum = nothing();
  if (span.from >= span.to) return sum;
  // A local day begins less than a day before or after the UTC day.
  for (let number = Math.floor(span.from / DAY) - 1; ; number++) {
    const today = dayAt(number);
    if (today.day.from >= span.to) return sum;
    const part = clip(span, today.day);
    if (!part) continue;
    const length = part.to - part.from;
    const night = overlapMs(part, today.night) + overlapMs(part, dayAt(number - 1).night);
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

/** Classifies a shift by its lengths in milliseconds. */
export function burdensOf(lengths: Readonly<Record<Burden | 'all', number>>): ReadonlySet<Burden> {
  const half = lengths.all / 2;
  const burdens = new Set<Burden>();
  if (lengths.night >= half) burdens.add('night');
  if (lengths.weekend >= Math.min(ENOUGH_MS, half)) burdens.add('weekend');
  if (lengths.holiday >= Math.min(ENOUGH_MS, half)) burdens.add('holiday');
  return burdens;
}
