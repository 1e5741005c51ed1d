import { clip, type Interval, union, without } from '../kit/interval.ts';
import { handoffs } from './handoffs.ts';
import { windowsOf } from './hours.ts';
import type { Version } from './pattern.ts';

/** When shifts change hands, and during which hours anybody is on call. */
export type Timetable = {
  /** Ascending, from the last at or before the start of the range to the first at or after its end. */
  handoffs: Temporal.Instant[];
  /** Times on call, ascending, in epoch milliseconds; null for always. */
  windows: Interval[] | null;
};

/** Windows extend this much further than hand-offs, because a shift of an earlier pattern may still be running. */
const BEYOND = { hours: 366 * 24 };
const FOREVER = 8_640_000_000_000_000;

/**
 * The timetable of consecutive patterns. `uncovered`: local dates on which nobody is on call. A version begins at its
 * first hand-off on or after its date, which ends the version before it.
 */
export function timetable(
  versions: readonly Version[],
  timeZone: string,
  uncovered: ReadonlySet<string>,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Timetable {
  const reigns = reignsOf(versions, timeZone);
  return {
    handoffs: handoffsIn(reigns, timeZone, from, to),
    windows: windowsIn(reigns, timeZone, uncovered, from.subtract(BEYOND), to.add(BEYOND)),
  };
}

/** Only the windows, cut to the range; takes at most a third of the time of `timetable`. */
export function windowsBetween(
  versions: readonly Version[],
  timeZone: string,
  uncovered: ReadonlySet<string>,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Interval[] | null {
  return windowsIn(reignsOf(versions, timeZone), timeZone, uncovered, from, to);
}

/** A version and the time in which it applies, in epoch milliseconds. */
type Reign = Interval & { version: Version };

function reignsOf(versions: readonly Version[], timeZone: string): Reign[] {
  const starts = versions.map(({ from, rhythm }) => {
    if (!from) return -FOREVER;
    const midnight = from.toZonedDateTime({ timeZone }).toInstant();
    return handoffs(rhythm, timeZone, midnight, midnight).at(-1)?.epochMilliseconds ?? FOREVER;
  });
  return versions.map((version, index) => ({
    version,
    from: starts[index] ?? -FOREVER,
    to: starts[index + 1] ?? FOREVER,
  }));
}

function handoffsIn(
  reigns: readonly Reign[],
  timeZone: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Temporal.Instant[] {
  const [start, end] = [from.epochMilliseconds, to.epochMilliseconds];
  const found = reigns.flatMap((reign) => {
    if (reign.to <= start) return [];
    const first = Math.max(start, reign.from);
    const last = Math.max(first, Math.min(end, reign.to));
    return handoffs(reign.version.rhythm, timeZone, instant(first), instant(last)).filter(
      ({ epochMilliseconds }) => epochMilliseconds >= reign.from && epochMilliseconds < reign.to,
    );
  });
  const last = found.findIndex(({ epochMilliseconds }) => epochMilliseconds >= end);
  return last === -1 ? found : found.slice(0, last + 1);
}

function windowsIn(
  reigns: readonly Reign[],
  timeZone: string,
  uncovered: ReadonlySet<string>,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Interval[] | null {
  const isAlways = reigns.every(({ version }) => version.hours === null) && reigns[0]?.from === -FOREVER;
  if (isAlways && uncovered.size === 0) return null;
  const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate();
  const windows = reigns.flatMap(({ version, ...reign }) => {
    const span = clip(reign, { from: from.epochMilliseconds, to: to.epochMilliseconds });
    if (!span) return [];
    if (!version.hours) return [span];
    return windowsOf(version.hours, timeZone, day(instant(span.from)), day(instant(span.to))).flatMap(
      (window) => clip(window, span) ?? [],
    );
  });
  return without(union(windows), daysOf(uncovered, timeZone));
}

/** Local days as spans in epoch milliseconds. */
export function daysOf(dates: Iterable<string>, timeZone: string): Interval[] {
  return union(
    [...dates].map((text) => {
      const date = Temporal.PlainDate.from(text);
      const at = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone }).epochMilliseconds;
      return { from: at(date), to: at(date.add({ days: 1 })) };
    }),
  );
}

function instant(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}
