import type { Span } from './planner.ts';

/** The parts of a span that lie in the windows (ascending, apart from each other). */
export function within(windows: readonly Span[], { from, to }: Span): Span[] {
  const parts: Span[] = [];
  for (let index = firstEndingAfter(windows, from); ; index++) {
    const window = windows[index];
    if (!window || window.from >= to) return parts;
    parts.push({ from: Math.max(from, window.from), to: Math.min(to, window.to) });
  }
}

/** The windows without the given spans, both ascending. */
export function without(windows: readonly Span[], spans: readonly Span[]): Span[] {
  if (spans.length === 0) return [...windows];
  return windows.flatMap((window) => {
    let { from } = window;
    const left: Span[] = [];
    for (const hole of within(spans, window)) {
      if (hole.from > from) left.push({ from, to: hole.from });
      from = hole.to;
    }
    return from < window.to ? [...left, { from, to: window.to }] : left;
  });
}

function firstEndingAfter(windows: readonly Span[], at: number): number {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((windows[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Spans in order, joined where they touch, without empty ones: a clock that is put forward may leave such. */
export function joined(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  const found: Span[] = [];
  for (const { from, to } of sorted) {
    const before = found.at(-1);
    if (before && from <= before.to) before.to = Math.max(before.to, to);
    else found.push({ from, to });
  }
  return found;
}
