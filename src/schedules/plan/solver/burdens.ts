import { overlap, type Span } from '../planner.ts';

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
export function burdensIn({ timeZone, holidays }: Calendar): (shift: Span) => ReadonlySet<Burden> {
  const known = new Map<string, ReadonlySet<Burden>>();
  const days = new Map<string, Day>();
  const dayOf = (date: Temporal.PlainDate) => {
    const text = date.toString();
    const day = days.get(text) ?? readDay(date, text, timeZone, holidays);
    days.set(text, day);
    return day;
  };
  return (shift) => {
    const key = `${shift.from} ${shift.to}`;
    const burdens = known.get(key) ?? countBurdens(shift, daysOf(shift, timeZone, dayOf));
    known.set(key, burdens);
    return burdens;
  };
}

/** A local day and the night that begins on it. */
type Day = { day: Span; night: Span; isWeekend: boolean; isHoliday: boolean };

function readDay(
  date: Temporal.PlainDate,
  text: string,
  timeZone: string,
  holidays: ReadonlySet<string>,
): Day {
  const next = date.add({ days: 1 });
  const at = (day: Temporal.PlainDate, plainTime: string) =>
    day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  return {
    day: { from: at(date, '00:00'), to: at(next, '00:00') },
    night: { from: at(date, NIGHT.from), to: at(next, NIGHT.to) },
    isWeekend: date.dayOfWeek > 5,
    isHoliday: holidays.has(text),
  };
}

function daysOf({ from, to }: Span, timeZone: string, dayOf: (date: Temporal.PlainDate) => Day): Day[] {
  const local = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = local(to);
  const found: Day[] = [];
  // The night that reaches into the first day began the day before.
  let date = local(from).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) found.push(dayOf(date));
  return found;
}

function countBurdens(shift: Span, days: readonly Day[]): ReadonlySet<Burden> {
  const half = (shift.to - shift.from) / 2;
  const within = (spans: readonly Span[]) => spans.reduce((sum, span) => sum + common(span, shift), 0);
  const burdens = new Set<Burden>();
  if (within(days.map(({ night }) => night)) >= half) burdens.add('night');
  if (within(days.filter(({ isWeekend }) => isWeekend).map(({ day }) => day)) >= Math.min(ENOUGH, half))
    burdens.add('weekend');
  if (within(days.filter(({ isHoliday }) => isHoliday).map(({ day }) => day)) >= Math.min(ENOUGH, half))
    burdens.add('holiday');
  return burdens;
}

function common(a: Span, b: Span): number {
  return overlap(a, b) ? Math.min(a.to, b.to) - Math.max(a.from, b.from) : 0;
}
