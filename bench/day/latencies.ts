import { percentile } from '../figures.ts';
import { HOURS } from './hours.ts';

/** Latencies by name and by hour of the day. */
export type Latencies = {
  note(what: string, ms: number): void;
  /** Of one hour, or of the whole day without `hour`. */
  count(what: string, hour?: number): number;
  at(what: string, share: number, hour?: number): number;
};

export function noteLatencies(hourNow: () => number): Latencies {
  const noted = new Map<string, number[][]>();
  const of = (what: string, hour?: number) => {
    const hours = noted.get(what) ?? [];
    return hour === undefined ? hours.flat() : (hours[hour] ?? []);
  };
  return {
    note(what, ms) {
      const hours = noted.get(what) ?? Array.from({ length: HOURS }, () => []);
      noted.set(what, hours);
      hours[Math.min(HOURS - 1, Math.floor(hourNow()))]?.push(ms);
    },
    count: (what, hour) => of(what, hour).length,
    at: (what, share, hour) => percentile(of(what, hour), share),
  };
}
