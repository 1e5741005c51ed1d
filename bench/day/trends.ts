import { HOURS } from './hours.ts';
import type { Sample } from './samples.ts';

export type Figure = Exclude<keyof Sample, 'hour'>;

/** How one figure went over the day. */
export type Trend = {
  /** Means of the hours 6 to 12 and 18 to 24. */
  second: number;
  last: number;
  /** What a real hour adds in the second half, by least squares. */
  perHour: number;
};

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function inHour(samples: readonly Sample[], hour: number): Sample[] {
  return samples.filter((sample) => Math.min(HOURS - 1, Math.floor(sample.hour)) === hour);
}

/**
 * What lives in a heap lies at or below the least that was seen in an hour: everything above it is garbage that was not
 * collected yet.
 */
export function floors(samples: readonly Sample[]): { hour: number; heap: number }[] {
  return Array.from({ length: HOURS }, (_, hour) => hour).flatMap((hour) => {
    const heaps = inHour(samples, hour).map(({ heap }) => heap);
    return heaps.length > 0 ? [{ hour: hour + 0.5, heap: Math.min(...heaps) }] : [];
  });
}

/** `points` by hour of the day; `hourMs` says how long such an hour really took. */
export function trend(points: readonly { hour: number; value: number }[], hourMs: number): Trend {
  const between = (from: number, to: number) =>
    points.filter(({ hour }) => hour >= from && hour < to).map(({ value }) => value);
  return {
    second: mean(between(6, 12)),
    last: mean(between(18, HOURS + 1)),
    perHour: slope(points.filter(({ hour }) => hour >= HOURS / 2)) * (3_600_000 / hourMs),
  };
}

function slope(points: readonly { hour: number; value: number }[]): number {
  const [x, y] = [mean(points.map(({ hour }) => hour)), mean(points.map(({ value }) => value))];
  const over = points.reduce((sum, { hour, value }) => sum + (hour - x) * (value - y), 0);
  const under = points.reduce((sum, { hour }) => sum + (hour - x) ** 2, 0);
  return over / under;
}
