import type { Zone } from '../kit/zones.ts';
import type { Span } from './queries.ts';

export const VIEWS = ['day', 'week', 'weeks', 'month'] as const;
export type View = (typeof VIEWS)[number];
export const VIEW_NAMES: Record<View, string> = {
  day: 'Day',
  week: 'Week',
  weeks: '8 weeks',
  month: 'Month',
};

/** A mark on the time axis. */
export type Tick = { at: number; label: string; strong: boolean };

/** The window of a view at a time; a month is shown in whole weeks. */
export function windowOf(view: View, at: number, zone: Zone): Span {
  if (view === 'day') return days(zone.startOfDay(at), 1, zone);
  if (view === 'week') return days(zone.startOfWeek(at), 7, zone);
  if (view === 'weeks') return days(zone.startOfWeek(at), 56, zone);
  const month = zone.startOfMonth(at);
  const from = zone.startOfWeek(month);
  const last = zone.addDays(zone.addMonths(month, 1), -1);
  return { from, to: zone.addDays(zone.startOfWeek(last), 7) };
}

function days(from: number, count: number, zone: Zone): Span {
  return { from, to: zone.addDays(from, count) };
}

/** The time after a step back (-1) or forward (1). */
export function stepFrom(view: View, at: number, step: 1 | -1, zone: Zone): number {
  if (view === 'month') return zone.addMonths(zone.startOfMonth(at), step);
  return zone.addDays(zone.startOfDay(at), step * { day: 1, week: 7, weeks: 28 }[view]);
}

/** The title of the window: `16–22 Nov`, `November 2026`. */
export function windowName(view: View, at: number, span: Span, zone: Zone): string {
  if (view === 'month') return zone.month(at);
  if (view === 'day') return zone.day(span.from);
  return `${zone.shortDay(span.from)} – ${zone.shortDay(zone.addDays(span.to, -1))}`;
}

export function ticksOf(view: View, { from, to }: Span, zone: Zone, now: number): Tick[] {
  const ticks: Tick[] = [];
  const today = zone.startOfDay(now);
  if (view === 'day') {
    for (let hour = 0; hour < 24; hour += 3) {
      const at = from + (hour / 24) * (to - from);
      ticks.push({ at, label: zone.clock(at), strong: false });
    }
    return ticks;
  }
  const step = view === 'weeks' ? 7 : 1;
  for (let at = from; at < to; at = zone.addDays(at, step)) {
    const strong = at <= today && today < zone.addDays(at, step);
    ticks.push({ at, label: step === 7 ? zone.shortDay(at) : zone.day(at), strong });
  }
  return ticks;
}

/** The position of a time in a window, from 0 to 1. */
export function placeIn({ from, to }: Span, at: number): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Snaps an end of a marked time: to whole hours in the day and week views, to days in longer ones. */
export function snap(view: View, at: number, zone: Zone): number {
  if (view === 'weeks' || view === 'month') {
    const start = zone.startOfDay(at);
    const next = zone.addDays(start, 1);
    return at - start < next - at ? start : next;
  }
  const step = view === 'day' ? 15 * 60_000 : 60 * 60_000;
  const start = zone.startOfDay(at);
  return start + Math.round((at - start) / step) * step;
}
