import type { Interval } from '../../src/kit/interval.ts';
import type { LimitName, Limits } from '../../src/schedules/limits.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A shift of a person in UTC: the whole shift, and what the person has of it. */
export type ByHand = Interval & { spans?: readonly Interval[] };

/** Shifts that count together: those of one period, or consecutive ones. */
type Group = { count: number; shifts: readonly ByHand[] };

/**
 * The limits that the shifts of one person exceed, counted by other means than the service does: in UTC, day by day and
 * week by week. Shifts are spans without pauses. `wanted`: only periods and rows with one of these shifts.
 */
export function exceededByHand(
  limits: Limits,
  shifts: readonly ByHand[],
  wanted: readonly ByHand[] = shifts,
): string[] {
  return Object.entries(limits).flatMap(([name, most]) => {
    if (most === null || most === undefined || name === 'averageWeeks') return [];
    const groups = groupsOf(name as LimitName, shifts, limits);
    const isExceeded = groups.some(
      (group) => group.count > most + 1e-9 && group.shifts.some((shift) => wanted.includes(shift)),
    );
    return isExceeded ? [name] : [];
  });
}

function groupsOf(name: LimitName, shifts: readonly ByHand[], limits: Limits): Group[] {
  const days = Math.ceil(Math.max(0, ...shifts.map(({ to }) => to)) / DAY) + 8;
  const all = Array.from({ length: days }, (_, day) => day);
  // 5 January 1970 is a Monday; the first week began on 29 December.
  const weeks = all.filter((day) => day % 7 === 4).map((day) => ({ from: (day - 7) * DAY, to: day * DAY }));
  const weekends = weeks.map(({ to }) => {
    const weekend = { from: to - 2 * DAY, to };
    return shifts.filter((one) => overlap(one, weekend) >= Math.min(12 * HOUR, (one.to - one.from) / 2));
  });
  switch (name) {
    case 'shiftsPerWeek':
      return weeks
        .map((week) => shifts.filter(({ from }) => week.from <= from && from < week.to))
        .map((own) => ({ count: own.length, shifts: own }));
    case 'shiftsPerMonth':
      return [...Map.groupBy(shifts, ({ from }) => monthOf(from)).values()].map((own) => ({
        count: own.length,
        shifts: own,
      }));
    case 'hoursPerWeek':
      return weeks.map((week) => ({
        count: shifts
          .flatMap((one) => one.spans ?? [one])
          .reduce((sum, span) => sum + overlap(span, week) / HOUR, 0),
        shifts: shifts.filter((one) => (one.spans ?? [one]).some((span) => overlap(span, week) > 0)),
      }));
    case 'averageHoursPerWeek': {
      const runLength = limits.averageWeeks ?? 17;
      // Runs may end after the last shift, and begin before the first.
      return Array.from({ length: weeks.length + runLength }, (_, last) => {
        const run = { from: (7 * (last - runLength + 1) - 3) * DAY, to: (7 * (last + 1) - 3) * DAY };
        const minutes = shifts.map((one) =>
          (one.spans ?? [one]).reduce((sum, span) => sum + overlap(span, run) / 60_000, 0),
        );
        return {
          count: minutes.reduce((sum, own) => sum + own, 0) / 60 / runLength,
          shifts: shifts.filter((_, index) => (minutes[index] ?? 0) > 0),
        };
      });
    }
    case 'weeklyRestHours':
      return weeks.map((week) => {
        const own = shifts.filter((one) => (one.spans ?? [one]).some((span) => overlap(span, week) > 0));
        return { count: hasRest(week, own, limits.weeklyRestHours ?? 0) ? 0 : Infinity, shifts: own };
      });
    case 'weekendsPerMonth': {
      const months = Map.groupBy(weeks.keys(), (week) => monthOf((weeks[week]?.to ?? 0) - 2 * DAY));
      return [...months.values()].map((own) => ({
        count: own.filter((week) => weekends[week]?.length).length,
        shifts: own.flatMap((week) => weekends[week] ?? []),
      }));
    }
    case 'weekendsInARow':
      return runsOf(weekends);
    case 'nightsInARow':
      return runsOf(
        all.map((day) => {
          const night = { from: day * DAY - 2 * HOUR, to: day * DAY + 6 * HOUR };
          return shifts.filter((one) => overlap(one, night) >= (one.to - one.from) / 2);
        }),
      );
    case 'shiftsInARow':
      return shifts.flatMap((shift) => chainsFrom(shift, shifts));
  }
}

const QUARTER = HOUR / 4;

/** Looks at each quarter of an hour of a week, in which the shifts begin and end. */
function hasRest(week: Interval, shifts: readonly ByHand[], hours: number): boolean {
  const spans = shifts.flatMap((one) => one.spans ?? [one]);
  let free = 0;
  for (let at = week.from; at < week.to; at += QUARTER) {
    const isBusy = spans.some((span) => overlap(span, { from: at, to: at + QUARTER }) > 0);
    free = isBusy ? 0 : free + 1;
    if (free * QUARTER >= hours * HOUR) return true;
  }
  return false;
}

function overlap(a: Interval, b: Interval): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function runsOf(places: readonly (readonly ByHand[])[]): Group[] {
  const runs: Group[] = [];
  let run: (readonly ByHand[])[] = [];
  for (const own of [...places, []]) {
    if (own.length > 0) run.push(own);
    else {
      runs.push({ count: run.length, shifts: run.flat() });
      run = [];
    }
  }
  return runs;
}

function chainsFrom(shift: ByHand, shifts: readonly ByHand[]): Group[] {
  const next = shifts.filter((other) => other.from >= shift.to && other.from - shift.to < DAY);
  if (next.length === 0) return [{ count: 1, shifts: [shift] }];
  return next.flatMap((other) =>
    chainsFrom(other, shifts).map((chain) => ({ count: chain.count + 1, shifts: [shift, ...chain.shifts] })),
  );
}
