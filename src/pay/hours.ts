import { type Interval, intersects, without } from '../kit/interval.ts';
import { DAYS, windowsOf } from '../schedules/hours.ts';
import type { HourClass, Rates } from './contract.ts';
import { rateOf } from './money.ts';

/** Times of each kind, ascending and separate. */
export type ClassTimes = Record<Exclude<HourClass, 'standby'> | 'working', readonly Interval[]>;

/** The times of rates around a span. `holidays`: local dates such as `2026-12-25`. */
export function classTimes(
  rates: Rates,
  timeZone: string,
  holidays: ReadonlySet<string>,
  span: Interval,
): ClassTimes {
  const day = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
  const [first, last] = [day(span.from), day(span.to)];
  const within = (hours: Parameters<typeof windowsOf>[0]) => windowsOf(hours, timeZone, first, last);
  const holiday = daysFrom(first, last)
    .filter((date) => holidays.has(date.toString()))
    .map((date) => ({ from: startOf(date, timeZone), to: startOf(date.add({ days: 1 }), timeZone) }));
  const isNever = rates.night.from === rates.night.to;
  return {
    night: isNever ? [] : within([{ days: DAYS, ...rates.night }]),
    weekend: within([{ days: rates.weekend, from: '00:00', to: '24:00' }]),
    holiday,
    working: without(within(rates.working_hours), holiday),
  };
}

function daysFrom(first: Temporal.PlainDate, last: Temporal.PlainDate): Temporal.PlainDate[] {
  return Array.from({ length: first.until(last).days + 1 }, (_, days) => first.add({ days }));
}

/** When a local day begins. */
export function startOf(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime({ timeZone }).epochMilliseconds;
}

/** A part of a time, in which the same classes apply throughout. */
export type Part = Interval & { classes: readonly HourClass[] };

const BESIDE_STANDBY = ['holiday', 'weekend', 'night'] as const;

/** Divides a time wherever a class begins or ends. */
export function partsOf(span: Interval, times: ClassTimes): Part[] {
  const near = BESIDE_STANDBY.map((name) => ({
    name,
    windows: times[name].filter((window) => intersects(window, span)),
  }));
  const edges = near.flatMap(({ windows }) => windows.flatMap(({ from, to }) => [from, to]));
  const inside = edges.filter((at) => at > span.from && at < span.to);
  const points = [...new Set([span.from, ...inside, span.to])].sort((a, b) => a - b);
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? span.from;
    const apply = near.filter(({ windows }) =>
      windows.some((window) => window.from <= from && to <= window.to),
    );
    return { from, to, classes: [...apply.map(({ name }) => name), 'standby'] };
  });
}

/** The classes that are paid for a part. At the same rate, a holiday is named before a weekend, and that before a night. */
export function paidClasses(
  { classes }: Pick<Part, 'classes'>,
  rates: Readonly<Record<HourClass, string>>,
  overlap: Rates['overlap'],
): readonly HourClass[] {
  if (overlap === 'add') return classes.filter((name) => name === 'standby' || rateOf(rates[name]) > 0n);
  return [classes.reduce((best, name) => (rateOf(rates[name]) > rateOf(rates[best]) ? name : best))];
}
