import { recurrenceDates } from '../calendars/recurrence.ts';
import type { Rhythm } from './rhythm.ts';

/**
 * The instants of hand-offs, ascending: from the last at or before `from` to the first at or after `to`. Local times
 * stay the same across clock changes: 09:00 stays 09:00. A time that the clocks skip moves forward by the skipped time;
 * of a time that occurs twice, the first is used.
 */
export function handoffs(
  rhythm: Rhythm,
  timeZone: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Temporal.Instant[] {
  if (rhythm.kind === 'hours' && 24 % rhythm.hours !== 0) return elapsedHandoffs(rhythm, timeZone, from, to);
  const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate();
  for (let margin = marginDays(rhythm); ; margin *= 2) {
    const dates = handoffDates(rhythm, day(from).subtract({ days: margin }), day(to).add({ days: margin }));
    const bounds = trim(localInstants(dates, localTimes(rhythm), timeZone), from, to);
    if (bounds) return bounds;
  }
}

/** Days around the range that should contain a hand-off; doubled until they do. */
function marginDays(rhythm: Rhythm): number {
  return rhythm.kind === 'days' ? rhythm.days + 1 : rhythm.kind === 'hours' ? 2 : 40;
}

function handoffDates(rhythm: Rhythm, first: Temporal.PlainDate, last: Temporal.PlainDate) {
  if (rhythm.kind === 'recurrence') return recurrenceDates(rhythm.recurrence, rhythm.anchor, first, last);
  const step = rhythm.kind === 'days' ? rhythm.days : 1;
  const steps = Math.ceil(rhythm.anchor.until(first).days / step);
  const dates: Temporal.PlainDate[] = [];
  let date = rhythm.anchor.add({ days: steps * step });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: step })) dates.push(date);
  return dates;
}

/** Local hand-off times of a day: one, or for shifts of hours that divide the day, as many as fit. */
function localTimes(rhythm: Rhythm): Temporal.PlainTime[] {
  if (rhythm.kind !== 'hours') return [rhythm.time];
  const { hours, time } = rhythm;
  return Array.from({ length: 24 / hours }, (_, index) => time.add({ hours: index * hours }));
}

function localInstants(
  dates: readonly Temporal.PlainDate[],
  times: readonly Temporal.PlainTime[],
  timeZone: string,
): Temporal.Instant[] {
  const instants = dates.flatMap((date) =>
    times.map((plainTime) => date.toZonedDateTime({ timeZone, plainTime }).toInstant()),
  );
  // When the clocks skip an hour, two hourly hand-offs coincide.
  const unique = new Map(instants.map((instant) => [instant.epochMilliseconds, instant]));
  return [...unique.values()].sort(Temporal.Instant.compare);
}

/** Hours that do not divide the day are counted as elapsed time, independent of clock changes. */
function elapsedHandoffs(
  rhythm: Rhythm & { kind: 'hours' },
  timeZone: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Temporal.Instant[] {
  const anchor = rhythm.anchor.toZonedDateTime({ timeZone, plainTime: rhythm.time }).epochMilliseconds;
  const length = rhythm.hours * 3_600_000;
  const first = anchor + Math.floor((from.epochMilliseconds - anchor) / length) * length;
  const count = Math.ceil((to.epochMilliseconds - first) / length) + 1;
  return Array.from({ length: count }, (_, index) =>
    Temporal.Instant.fromEpochMilliseconds(first + index * length),
  );
}

/** Null if the list does not reach from `from` to `to`. */
function trim(
  instants: readonly Temporal.Instant[],
  from: Temporal.Instant,
  to: Temporal.Instant,
): Temporal.Instant[] | null {
  const first = instants.findLastIndex((instant) => Temporal.Instant.compare(instant, from) <= 0);
  const last = instants.findIndex((instant) => Temporal.Instant.compare(instant, to) >= 0);
  return first === -1 || last === -1 ? null : instants.slice(first, last + 1);
}
