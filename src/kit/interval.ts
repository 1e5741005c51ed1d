/** A time range in epoch milliseconds, `to` exclusive. Plain numbers, because planning compares millions of them. */
export type Interval = { from: number; to: number };

export function intersects(a: Interval, b: Interval): boolean {
  return a.from < b.to && b.from < a.to;
}

/** How long two intervals overlap; 0 when they do not. */
export function overlapMs(a: Interval, b: Interval): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

/** The part of an interval within the bounds; null when there is none. */
export function clip<I extends Interval>(whole: I, bounds: Interval): I | null {
  if (whole.from >= bounds.from && whole.to <= bounds.to) return whole.from < whole.to ? whole : null;
  const part = { ...whole, from: Math.max(whole.from, bounds.from), to: Math.min(whole.to, bounds.to) };
  return part.from < part.to ? part : null;
}

/** The parts of an interval outside `hole`: none, one or two. */
export function cut<I extends Interval>(whole: I, hole: Interval): I[] {
  if (!intersects(whole, hole)) return [whole];
  return [
    { ...whole, to: Math.min(whole.to, hole.from) },
    { ...whole, from: Math.max(whole.from, hole.to) },
  ].filter(({ from, to }) => from < to);
}

/**
 * The union as ascending, separate intervals: joined where they overlap or touch. Drops empty ones, which arise when
 * clocks go forward.
 */
export function union(intervals: readonly Interval[]): Interval[] {
  const united: Interval[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    if (from >= to) continue;
    const last = united.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
}

/** The parts of an interval that lie in the windows, which must be ascending and separate. */
export function within(windows: readonly Interval[], { from, to }: Interval): Interval[] {
  const parts: Interval[] = [];
  for (let index = firstEndingAfter(windows, from); ; index++) {
    const window = windows[index];
    if (!window || window.from >= to) return parts;
    parts.push({ from: Math.max(from, window.from), to: Math.min(to, window.to) });
  }
}

/** The windows without the holes; both must be ascending and separate. */
export function without(windows: readonly Interval[], holes: readonly Interval[]): Interval[] {
  if (holes.length === 0) return [...windows];
  return windows.flatMap((window) => {
    let { from } = window;
    const left: Interval[] = [];
    for (const hole of within(holes, window)) {
      if (hole.from > from) left.push({ from, to: hole.from });
      from = hole.to;
    }
    return from < window.to ? [...left, { from, to: window.to }] : left;
  });
}

/** Whether an interval overlaps any of the windows, which must be ascending and separate. */
export function intersectsAny(windows: readonly Interval[], interval: Interval): boolean {
  const first = windows[firstEndingAfter(windows, interval.from)];
  return first !== undefined && first.from < interval.to;
}

function firstEndingAfter(windows: readonly Interval[], at: number): number {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((windows[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
