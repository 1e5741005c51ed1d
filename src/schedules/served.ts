import { type Interval, overlapMs } from '../kit/interval.ts';
import { type Calendar, type LocalDay, localDay } from './burdens.ts';
import type { Stint } from './planner.ts';

const HOUR = 3_600_000;
/** Half of a night from 22:00 to 06:00. */
const NIGHT = 4 * HOUR;
/** Half of a day. */
const DAY = 12 * HOUR;

/** Nights, weekends and holidays as people serve them: a shift of a week has seven nights. */
export type Served = { nights: number; weekends: number; holidays: number };

/**
 * Counts the nights, weekends and holidays of which a shift has at least half, in local time. (The planner shares kinds
 * of shifts instead, because it need not count single nights of a weekly shift.)
 */
export function servedIn(calendar: Calendar): (shift: Stint) => Served {
  const days = new Map<string, LocalDay>();
  const dayOf = (date: Temporal.PlainDate) => {
    const text = date.toString();
    const day = days.get(text) ?? localDay(date, calendar);
    days.set(text, day);
    return day;
  };
  const known = new Map<string, Served>();
  return (shift) => {
    // Cached, because the same times recur for the planned person, the actual one, and every seat.
    const key = (shift.parts ?? [shift]).map(({ from, to }) => `${from} ${to}`).join();
    const served = known.get(key) ?? count(shift);
    known.set(key, served);
    return served;
  };

  function count(shift: Stint): Served {
    const own = shift.parts ?? [shift];
    const within = (span: Interval) => own.reduce((ms, part) => ms + overlapMs(part, span), 0);
    const served = { nights: 0, weekends: 0, holidays: 0 };
    let weekendMs = 0;
    for (const date of datesOf(shift, calendar.timeZone)) {
      const { day, night, isWeekend, isHoliday } = dayOf(date);
      const dayMs = within(day);
      if (within(night) >= NIGHT) served.nights++;
      if (isHoliday && dayMs >= DAY) served.holidays++;
      if (isWeekend) weekendMs += dayMs;
      if (date.dayOfWeek !== 7) continue;
      if (weekendMs >= DAY) served.weekends++;
      weekendMs = 0;
    }
    return weekendMs >= DAY ? { ...served, weekends: served.weekends + 1 } : served;
  }
}

/** Every local date that a shift overlaps, and the day before, whose night may extend into the shift. */
function* datesOf({ from, to }: Interval, timeZone: string): Generator<Temporal.PlainDate> {
  const local = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = local(to);
  for (
    let date = local(from).subtract({ days: 1 });
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  )
    yield date;
}
