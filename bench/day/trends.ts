import { HOURS } from './hours.ts';
import type { Sample } from './samples.ts';

export type Figure = Exclude<keyof Sample, 'hour'>;

/** The trend of one figure over the day. */
export type Trend = {
  /** Means of the hours 6 to 12 and 18 to 24. */
  second: number;
  last: number;
  /** Growth per real hour in the second half, by least squares. */
  perHour: number;
};

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function inHour(samples: readonly Sample[], hour: number): Sample[] {
  return samples.filter((sample) => Math.min(HOURS - 1, Math.floor(sample.hour)) === hour);
}

/**
 * The lowest heap size of each hour. It bounds the live memory; everything above it is garbage that was not collected
 * yet.
 */
export function floors(samples: readonly Sample[]): { hour: number; heap: number }[] {
  return Array.from({ length: HOURS }, (_, hour) => hour).flatMap((hour) => {
    const heaps = inHour(samples, hour).map(({ heap }) => heap);
    return heaps.length > 0 ? [{ hour: hour + 0.5, heap: Math.min(...heaps) }] : [];
  });
}

/** `points` by hour of the day; `hourMs` is the real duration of such an hour. */
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
