import type { Zone } from '../kit/zones.ts';
import { t, tIn } from '../language/t.ts';
import type { Span } from './queries.ts';

export const VIEWS = ['day', 'week', 'weeks', 'month'] as const;
export type View = (typeof VIEWS)[number];
export const VIEW_NAMES: Record<View, string> = {
  day: tIn('what a schedule shows', 'Day'),
  week: t('Week'),
  weeks: t('8 weeks'),
  month: t('Month'),
};

/** A mark on the time axis. */
export type Tick = { at: number; label: string /** For narrow screens. */; short: string; strong: boolean };

/** The window of a view at a time; a month is shown in whole weeks. */
export function windowOf(view: View, at: number, zone: Zone): Span {
  if (view === 'day') return days(zone.startOfDay(at), 1, zone);
  if (view === 'week') return days(zone.startOfWeek(at), 7, zone);
  if (view === 'weeks') return days(zone.startOfWeek(at), 56, zone);
  const month = zone.startOfMonth(at);
  const from = zone.startOfWeek(month);
  const last = zone.addDays(zone.addMonths(month, 1), -1);
  return { from, to: zone.dayAfter(zone.startOfWeek(last), 7) };
}

function days(from: number, count: number, zone: Zone): Span {
  return { from, to: zone.dayAfter(from, count) };
}

/** The first instants of the days of a window. */
export function daysOf({ from, to }: Span, zone: Zone, step = 1): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = zone.dayAfter(at, step)) starts.push(at);
  return starts;
}

/** The length of the day that contains `at`, in milliseconds: 23 or 25 hours when the clocks change. */
export function dayLength(at: number, zone: Zone): number {
  return zone.dayAfter(at, 1) - zone.startOfDay(at);
}

/** The time after a step back (-1) or forward (1). */
export function stepFrom(view: View, at: number, step: 1 | -1, zone: Zone): number {
  if (view === 'month') return zone.addMonths(zone.startOfMonth(at), step);
  return zone.dayAfter(at, step * { day: 1, week: 7, weeks: 28 }[view]);
}

const DAY_MS = 86_400_000;

/** The title of the window: `16 Nov – 22 Nov`, `November 2026`, `Sun 29 Mar · 23 hours`. */
export function windowName(view: View, at: number, span: Span, zone: Zone): string {
  if (view === 'month') return zone.month(at);
  if (view === 'day') {
    const length = span.to - span.from;
    return length === DAY_MS
      ? zone.day(span.from)
      : `${zone.day(span.from)} · ${t('{count} hours', { count: length / 3_600_000 })}`;
  }
  return `${zone.shortDay(span.from)} – ${zone.shortDay(zone.addDays(span.to, -1))}`;
}

/** The hours of the day view that have a tick, as the local clock shows them. */
const TICK_HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

/**
 * The ticks of the time axis. Each is at the local time that it names: on a day of 23 or 25 hours they are not
 * equally far apart, and an hour that the clocks skip has none.
 */
export function ticksOf(view: View, span: Span, zone: Zone, now: number): Tick[] {
  if (view === 'day')
    return TICK_HOURS.flatMap((hour) => {
      const at = zone.hourOf(span.from, hour);
      return at === null ? [] : [{ at, label: zone.clock(at), short: zone.clock(at), strong: false }];
    });
  const today = zone.startOfDay(now);
  const step = view === 'weeks' ? 7 : 1;
  return daysOf(span, zone, step).map((at) => ({
    at,
    label: step === 7 ? zone.shortDay(at) : zone.day(at),
    short: step === 7 ? zone.shortDay(at) : zone.weekdayAndDay(at),
    strong: at <= today && today < zone.dayAfter(at, step),
  }));
}

/** The position of a time in a window, from 0 to 1. */
export function placeIn({ from, to }: Span, at: number): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Snaps an end of a marked time: to local quarters of an hour in the day view, to hours in a week, to days in longer ones. */
export function snap(view: View, at: number, zone: Zone): number {
  if (view === 'weeks' || view === 'month') {
    const start = zone.startOfDay(at);
    const next = zone.dayAfter(at, 1);
    return at - start < next - at ? start : next;
  }
  return zone.rounded(at, view === 'day' ? 15 : 60);
}
