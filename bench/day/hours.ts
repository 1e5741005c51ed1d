import { setTimeout as delay } from 'node:timers/promises';

/** The amounts of a large organization's day, and their distribution over 24 hours. */
const PAGES = 2_000;
const CALLS = 100_000;
/** The most dashboards that are open at once. */
const DASHBOARDS = 40;

export const HOURS = 24;
/** Relative load of each hour: a quiet night, a busy morning, an afternoon. */
const CURVE = [2, 2, 2, 2, 2, 3, 4, 6, 9, 11, 11, 9, 7, 9, 10, 10, 9, 7, 5, 4, 3, 3, 2, 2];
const WHOLE = CURVE.reduce((sum, weight) => sum + weight);

/** A large outage: this share of the day's calls and pages arrives at once. */
export type Storm = { hour: number; calls: number; pages: number };

/** A day that is compressed into some minutes. */
export type Day = {
  begin(): void;
  hourMs: number;
  pages: number;
  calls: number;
  storms: readonly Storm[];
  /** Hours of the compressed day since it began: 0 before, at most 24. */
  hour(): number;
  /** The real duration of this many minutes of the compressed day, in milliseconds. */
  minutesMs(minutes: number): number;
  dashboards(): number;
};

/**
 * A run of an hour has all of the day's load, and a shorter one its share of it, so that the load per second is the
 * same. The share is at least a hundredth, for the short form that only shows that everything works.
 */
export function planDay(minutes: number): Day {
  const share = Math.min(1, Math.max(minutes / 60, 0.01));
  const hourMs = (minutes * 60_000) / HOURS;
  let began: number | null = null;
  const hour = () => (began === null ? 0 : Math.min(HOURS, (performance.now() - began) / hourMs));
  const most = Math.max(4, Math.round(DASHBOARDS * Math.sqrt(share)));
  const storm = (at: number) => ({
    hour: at,
    calls: Math.ceil(0.04 * CALLS * share),
    pages: Math.ceil(0.03 * PAGES * share),
  });
  return {
    begin() {
      began = performance.now();
    },
    ...{ hourMs, hour },
    pages: Math.round(0.94 * PAGES * share),
    calls: Math.round(0.92 * CALLS * share),
    storms: [storm(10.4), storm(20.2)],
    minutesMs: (count) => (count * hourMs) / 60,
    dashboards: () => Math.max(2, Math.round((most * weightAt(hour())) / Math.max(...CURVE))),
  };
}

/** Pages and calls of the whole day, including those of the storms. */
export function totals({ pages, calls, storms }: Day): [pages: number, calls: number] {
  const inStorms = (of: (storm: Storm) => number) => storms.reduce((sum, storm) => sum + of(storm), 0);
  return [pages + inStorms((storm) => storm.pages), calls + inStorms((storm) => storm.calls)];
}

function weightAt(hour: number): number {
  return CURVE[Math.min(HOURS - 1, Math.floor(hour))] ?? 0;
}

/** The share of the day's load that is due by this time, from 0 to 1. */
function dueBy(hour: number): number {
  const whole = Math.floor(hour);
  const before = CURVE.slice(0, whole).reduce((sum, weight) => sum + weight, 0);
  return whole >= HOURS ? 1 : (before + weightAt(hour) * (hour - whole)) / WHOLE;
}

/** The most requests of one kind in flight. Further due requests are sent later. */
const MOST_AT_ONCE = 64;

/** Calls `act` `total` times, distributed over the day by the curve; resolves when all calls have finished. */
export async function allDay(day: Day, total: number, act: () => Promise<void>): Promise<void> {
  await spread(() => Math.floor(total * dueBy(day.hour())), total, act);
}

/** Sends each storm in its hour, as fast as possible. */
export async function inStorms(day: Day, of: (storm: Storm) => number, act: () => Promise<void>) {
  await Promise.all(
    day.storms.map(async (storm) => {
      await delay(day.minutesMs(storm.hour * 60));
      await spread(() => of(storm), of(storm), act);
    }),
  );
}

async function spread(due: () => number, total: number, act: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  for (let begun = 0; begun < total && !failure; ) {
    for (const now = due(); begun < now && running.size < MOST_AT_ONCE; begun++) {
      const one = act()
        .catch((error) => {
          failure = { error };
        })
        .finally(() => running.delete(one));
      running.add(one);
    }
    await (running.size < MOST_AT_ONCE ? delay(10) : Promise.race(running));
  }
  await Promise.all(running);
  if (failure) throw (failure as { error: unknown }).error;
}
