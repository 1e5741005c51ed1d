import { lengthOf, overlap, type Span, type Stint } from '../planner.ts';

/** By what a shift weighs on people, beyond being one. */
export type Burden = 'night' | 'weekend' | 'holiday';

export type Calendar = {
  /** IANA name. */
  timeZone: string;
  /** Local dates, such as `2026-12-25`. */
  holidays: ReadonlySet<string>;
};

const HOUR = 3_600_000;
const ENOUGH = 12 * HOUR;
const NIGHT = { from: '22:00', to: '06:00' };

/**
 * Tells what shifts count as: a weekend (Saturday and Sunday) or a holiday when twelve hours or half of the shift lie
 * in one, a night when half of it lies between 22:00 and 06:00. All in local time.
 */
export function burdensIn({ timeZone, holidays }: Calendar): (shift: Stint) => ReadonlySet<Burden> {
  const known = new Map<string, ReadonlySet<Burden>>();
  const days = new Map<string, LocalDay>();
  const dayOf = (date: Temporal.PlainDate) => {
    const text = date.toString();
    const day = days.get(text) ?? localDay(date, { timeZone, holidays });
    days.set(text, day);
    return day;
  };
  return (shift) => {
    const spans = shift.parts ?? [shift];
    const key = spans.map(({ from, to }) => `${from} ${to}`).join();
    const burdens = known.get(key) ?? countBurdens(shift, daysOf(shift, timeZone, dayOf));
    known.set(key, burdens);
    return burdens;
  };
}

/** A local day and the night that begins on it. */
export type LocalDay = { day: Span; night: Span; isWeekend: boolean; isHoliday: boolean };

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

function daysOf(
  { from, to }: Span,
  timeZone: string,
  dayOf: (date: Temporal.PlainDate) => LocalDay,
): LocalDay[] {
  const local = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = local(to);
  const found: LocalDay[] = [];
  // The night that reaches into the first day began the day before.
  let date = local(from).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) found.push(dayOf(date));
  return found;
}

function countBurdens(shift: Stint, days: readonly LocalDay[]): ReadonlySet<Burden> {
  const own = shift.parts ?? [shift];
  const within = (spans: readonly Span[]) =>
    spans.reduce((sum, span) => sum + own.reduce((each, part) => each + common(span, part), 0), 0);
  return burdensOf({
    all: lengthOf(shift),
    night: within(days.map(({ night }) => night)),
    weekend: within(days.filter(({ isWeekend }) => isWeekend).map(({ day }) => day)),
    holiday: within(days.filter(({ isHoliday }) => isHoliday).map(({ day }) => day)),
  });
}

/** The same for a shift of which it is known how much lies where, in milliseconds. */
export function burdensOf(lengths: Readonly<Record<Burden | 'all', number>>): ReadonlySet<Burden> {
  const half = lengths.all / 2;
  const burdens = new Set<Burden>();
  if (lengths.night >= half) burdens.add('night');
  if (lengths.weekend >= Math.min(ENOUGH, half)) burdens.add('weekend');
  if (lengths.holiday >= Math.min(ENOUGH, half)) burdens.add('holiday');
  return burdens;
}

function common(a: Span, b: Span): number {
  return overlap(a, b) ? Math.min(a.to, b.to) - Math.max(a.from, b.from) : 0;
}
