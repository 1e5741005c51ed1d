/**
 * The most that one person may have (shifts, hours, weekends, nights) and the least free time. Planning, covers, swaps
 * and previews use these rules. They differ in how they look up a person's shifts.
 */
import { clip, type Interval, intersects, overlapMs, union, without } from '../kit/interval.ts';
import { USUAL_AVERAGE_WEEKS } from './average-weeks-contract.ts';
import { burdensIn, ENOUGH_MS } from './burdens.ts';
import { monthIn, weekIn } from './periods.ts';
import { lengthOf, type Stint } from './planner.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** All limits, in the order in which they are shown. */
export const LIMIT_NAMES = [
  'shiftsPerWeek',
  'shiftsPerMonth',
  'hoursPerWeek',
  'averageHoursPerWeek',
  'weeklyRestHours',
  'weekendsPerMonth',
  'weekendsInARow',
  'nightsInARow',
  'shiftsInARow',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/**
 * The most of each that one person may have, and for `weeklyRestHours` the least. Null or absent means any number.
 * `averageWeeks`: the number of weeks over which `averageHoursPerWeek` is averaged; null or absent for the usual
 * number.
 */
export type Limits = { readonly [name in LimitName | 'averageWeeks']?: number | null };

/** A shift of a person, as limits count it. */
export type Counted = {
  /** Equal for all parts of one shift. */
  key: string;
  /**
   * The whole shift. A person with part of a weekend counts as having the weekend. Only hours count the actual part.
   */
  whole: Stint;
  /** What the person has of it, without overlaps. */
  spans: readonly Interval[];
  /** For a piece of a shift that several people share: that shift. */
  shared?: Interval;
};

/** What a shift adds to a period (a local week or month). Amounts with the same id count once. */
export type Amount = { id: string; period: string; amount: number };

/** A place in a row. One follows another if less than the `slack` of the limit lies between them. */
export type Step = { id: string; at: number; until: number };

/** Time on call within a local week. */
export type Busy = Interval & { week: Interval };

/** A sum over a period, a row without a break, or the longest time of a week that is free. */
export type Count =
  /** `isTime`: amounts are the time that the person has, so that a part of a shift counts less than all of it. */
  | { kind: 'sum'; amountsOf(shift: Counted): readonly Amount[]; isTime?: true; averageWeeks?: number }
  | { kind: 'row'; stepsOf(shift: Counted): readonly Step[]; slack: number }
  | { kind: 'free'; busyOf(shift: Counted): readonly Busy[]; dayOf(ms: number): string };
/** `most`: for `free`, the least number of hours. */
export type Limit = { name: LimitName; most: number } & Count;
export type Sum = Extract<Limit, { kind: 'sum' }>;
export type Row = Extract<Limit, { kind: 'row' }>;
export type Free = Extract<Limit, { kind: 'free' }>;

/**
 * A limit that a person would exceed, and how much of it they would have. `week`: the Monday of the week that would not
 * have enough free time. `weeks`: over how many weeks hours are averaged.
 */
export type Exceeded = { limit: LimitName; most: number; count: number; week?: string; weeks?: number };

/** Hours are sums of fractions. */
const EXACT = 1e-6;

export function isMore(count: number, most: number): boolean {
  return count > most + EXACT;
}

export function follows(before: Step, after: Step, slack: number): boolean {
  return after.at >= before.until && after.at - before.until < slack;
}

/** Returns a function that gives the active limits. It caches its counts, so keep it while it is in use. */
export function limitsIn(timeZone: string): (limits: Limits) => Limit[] {
  const counts = countsIn(timeZone);
  return (limits) =>
    LIMIT_NAMES.flatMap((name): Limit[] => {
      const most = limits[name] ?? null;
      if (most === null) return [];
      const count = name === 'averageHoursPerWeek' ? counts[name](averageWeeks(limits)) : counts[name];
      return [{ name, most, ...count }];
    });
}

/** Over how many weeks hours are averaged. */
export function averageWeeks(limits: Limits): number {
  return limits.averageWeeks ?? USUAL_AVERAGE_WEEKS;
}

/**
 * The number of days before and after a shift in which other shifts may matter to these limits, besides those of its
 * month.
 */
export function daysOf(limits: Limits): number {
  const rows = Math.max(limits.shiftsInARow ?? 0, limits.weekendsInARow ?? 0);
  const average = (limits.averageHoursPerWeek ?? null) === null ? 0 : averageWeeks(limits);
  // A row may have begun as many weeks ago as it may be long.
  return 7 * Math.max(rows > 0 ? rows + 2 : 0, average > 0 ? average + 1 : 0);
}

type Counts = Record<Exclude<LimitName, 'averageHoursPerWeek'>, Count> & {
  averageHoursPerWeek(weeks: number): Count;
};

function countsIn(timeZone: string): Counts {
  const [week, month] = [remembered(weekIn(timeZone)), remembered(monthIn(timeZone))];
  const weekAt = remembered((ms) => weekOf(ms, timeZone));
  const burdens = burdensIn({ timeZone, holidays: new Set() });
  const weekends = byShift((shift) => weekendsOf(shift, timeZone, burdens(shift.whole).has('weekend')));
  const nights = byShift((shift) =>
    burdens(shift.whole).has('night')
      ? partsOf(shift.whole)
          .filter((part) => burdens(part).has('night'))
          .map((part) => nightOf(part, timeZone))
      : [],
  );
  const begun = (periodOf: (ms: number) => string): Count => ({
    kind: 'sum',
    amountsOf: ({ key, whole }) => [{ id: key, period: periodOf(whole.from), amount: 1 }],
  });
  return {
    shiftsPerWeek: begun(week),
    shiftsPerMonth: begun(month),
    hoursPerWeek: { kind: 'sum', isTime: true, amountsOf: (shift) => hoursOf(shift, week, timeZone) },
    averageHoursPerWeek: (averageWeeks) => ({
      ...{ kind: 'sum', isTime: true, averageWeeks },
      amountsOf: (shift) => averageHoursOf(shift, averageWeeks, weekAt),
    }),
    weeklyRestHours: {
      kind: 'free',
      busyOf: ({ spans }) => spans.flatMap((span) => byWeek(span, weekAt)),
      dayOf: (ms) => dateAt(ms, timeZone).toString(),
    },
    weekendsPerMonth: {
      kind: 'sum',
      amountsOf: (shift) =>
        weekends(shift).map(({ id, saturday }) => ({ id, period: month(saturday), amount: 1 })),
    },
    weekendsInARow: { kind: 'row', stepsOf: weekends, slack: 1 },
    nightsInARow: { kind: 'row', stepsOf: nights, slack: 1 },
    // Two shifts are in a row if less than a day lies between them.
    shiftsInARow: { kind: 'row', stepsOf: placeInARow, slack: DAY },
  };
}

function remembered<T>(of: (ms: number) => T): (ms: number) => T {
  const known = new Map<number, T>();
  return (ms) => {
    const value = known.get(ms) ?? of(ms);
    known.set(ms, value);
    return value;
  };
}

/** Caches results, because the same shifts are counted many times. */
function byShift<T>(count: (shift: Counted) => T): (shift: Counted) => T {
  const known = new Map<string, T>();
  return (shift) => {
    const { whole, shared } = shift;
    const key = `${partsOf(whole)
      .map(({ from, to }) => `${from} ${to}`)
      .join()} ${shared !== undefined}`;
    const result = known.get(key) ?? count(shift);
    known.set(key, result);
    return result;
  };
}

function partsOf(shift: Stint): readonly Interval[] {
  return shift.parts ?? [{ from: shift.from, to: shift.to }];
}

/** Simultaneous shifts are one place in a row, and so are all pieces of a shared shift. */
function placeInARow({ whole, shared = whole }: Counted): Step[] {
  return [{ id: `${shared.from} ${shared.to}`, at: shared.from, until: shared.to }];
}

/** What the person has of the shift in each local week, in hours. */
function hoursOf({ key, spans }: Counted, week: (ms: number) => string, timeZone: string): Amount[] {
  return spans.flatMap((span) => {
    const amounts: Amount[] = [];
    for (let { from } = span; from < span.to; ) {
      // Most shifts are within one week.
      const to = week(from) === week(span.to - 1) ? span.to : nextMonday(from, timeZone);
      amounts.push({ id: `${key} ${from}`, period: week(from), amount: (to - from) / HOUR });
      from = to;
    }
    return amounts;
  });
}

/** A local week, and its number, which grows by one from week to week. */
type Week = Interval & { number: number };

function weekOf(ms: number, timeZone: string): Week {
  const date = dateAt(ms, timeZone);
  const monday = date.subtract({ days: date.dayOfWeek - 1 });
  return {
    from: startOf(monday, timeZone),
    to: startOf(monday.add({ days: 7 }), timeZone),
    number: Math.floor((dayNumber(monday) + 3) / 7),
  };
}

function byWeek(span: Interval, weekAt: (ms: number) => Week): (Busy & { week: Week })[] {
  const parts: (Busy & { week: Week })[] = [];
  for (let { from } = span; from < span.to; ) {
    const week = weekAt(from);
    const to = Math.min(week.to, span.to);
    parts.push({ from, to, week });
    from = to;
  }
  return parts;
}

/**
 * The hours per week that the person has of the shift in each run of this many weeks that contains it. Every run of
 * weeks counts, not only consecutive ones, so that no choice of a reference period allows more.
 */
function averageHoursOf({ key, spans }: Counted, weeks: number, weekAt: (ms: number) => Week): Amount[] {
  // A shift across Monday night counts as one amount in a run that includes both of its weeks.
  const sums = new Map<number, number>();
  for (const { from, to, week } of spans.flatMap((span) => byWeek(span, weekAt)))
    for (let run = week.number; run < week.number + weeks; run++)
      sums.set(run, (sums.get(run) ?? 0) + (to - from) / HOUR / weeks);
  const id = `${key} ${spans[0]?.from}`;
  return [...sums].map(([run, amount]) => ({ id, period: `${run}`, amount }));
}

function nextMonday(ms: number, timeZone: string): number {
  const date = dateAt(ms, timeZone);
  return startOf(date.add({ days: 8 - date.dayOfWeek }), timeZone);
}

/** The weekends of a shift, by the rule of the shares: twelve hours of it or half of it. */
function weekendsOf(
  { whole, shared }: Counted,
  timeZone: string,
  isWeekend: boolean,
): (Step & { saturday: number })[] {
  const touched: (Step & { saturday: number; ms: number })[] = [];
  const last = dateAt(whole.to - 1, timeZone);
  let date = dateAt(whole.from, timeZone);
  date = date.add({ days: 6 - date.dayOfWeek });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 7 })) {
    const span = { from: startOf(date, timeZone), to: startOf(date.add({ days: 2 }), timeZone) };
    const ms = partsOf(whole).reduce((sum, part) => sum + overlapMs(part, span), 0);
    const at = Math.floor(dayNumber(date) / 7);
    if (ms > 0) touched.push({ id: `${at}`, at, until: at + 1, saturday: span.from, ms });
  }
  // Pieces of a shared shift may be joined later, and then have enough of the weekend.
  if (shared) return touched;
  const enough = Math.min(ENOUGH_MS, lengthOf(whole) / 2);
  const large = touched.filter(({ ms }) => ms >= enough);
  if (large.length > 0 || !isWeekend) return large;
  return touched.toSorted((a, b) => b.ms - a.ms).slice(0, 1);
}

/** The night that is nearest to the middle of a time. */
function nightOf({ from, to }: Interval, timeZone: string): Step {
  const at = dayNumber(dateAt((from + to) / 2 - DAY / 2, timeZone));
  return { id: `${at}`, at, until: at + 1 };
}

const FIRST_DAY = Temporal.PlainDate.from('1970-01-01');

function dayNumber(date: Temporal.PlainDate): number {
  return FIRST_DAY.until(date, { largestUnit: 'days' }).days;
}

function dateAt(ms: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(timeZone).toPlainDate();
}

function startOf(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime({ timeZone, plainTime: '00:00' }).epochMilliseconds;
}

/**
 * The first limit that a person exceeds with a shift, in the periods and rows of that shift. `held`: their other shifts,
 * and possibly parts of the same shift.
 */
export function exceededBy(
  limits: readonly Limit[],
  held: readonly Counted[],
  gained: Counted,
): Exceeded | null {
  for (const limit of limits) {
    if (limit.kind === 'free') {
      const found = weekWithoutRest(limit, held, gained);
      if (found) return found;
      continue;
    }
    const count = limit.kind === 'sum' ? largestSum(limit, held, gained) : longestRow(limit, held, gained);
    if (isMore(count, limit.most)) return exceededAs(limit, count);
  }
  return null;
}

/** An exceeded sum or row, with the values for its explanation. */
export function exceededAs(
  { name, most, ...limit }: Pick<Limit, 'name' | 'most'> & { averageWeeks?: number },
  count: number,
): Exceeded {
  const { averageWeeks: weeks } = limit;
  return { limit: name, most, count, ...(weeks === undefined ? {} : { weeks }) };
}

/** The first week of a shift in which the longest free time is too short. */
function weekWithoutRest(limit: Free, held: readonly Counted[], gained: Counted): Exceeded | null {
  const weeks = new Map(limit.busyOf(gained).map(({ week }) => [week.from, week]));
  if (weeks.size === 0) return null;
  const busy = [...held, gained].flatMap(limit.busyOf);
  for (const week of [...weeks.values()].sort((a, b) => a.from - b.from)) {
    const free = longestFree(week, busy);
    if (isMore(limit.most, free)) return withoutRestIn(limit, week, free);
  }
  return null;
}

/** `free`: the hours of the longest free time of the week. */
export function withoutRestIn({ name, most, dayOf }: Free, week: Interval, free: number): Exceeded {
  return { limit: name, most, count: free, week: dayOf(week.from) };
}

/** The hours of the longest time of a week without any of these. */
export function longestFree(week: Interval, busy: readonly Interval[]): number {
  const own = busy.flatMap((one) => clip({ from: one.from, to: one.to }, week) ?? []);
  return Math.max(0, ...without([week], union(own)).map(({ from, to }) => (to - from) / HOUR));
}

/**
 * The times of a week that could be its rest, each of the required length. The week has its rest exactly if one of them
 * is free, because a free time can be moved back until it begins with the week or at the end of a shift. `certain`:
 * never free.
 */
export function restsIn(
  { from, to }: Interval,
  restHours: number,
  certain: readonly Interval[],
  possible: readonly Interval[],
): Interval[] {
  const ends = [...certain, ...possible].map((one) => one.to);
  const starts = [...new Set([from, ...ends])].filter((at) => at >= from).sort((a, b) => a - b);
  const rests = starts.map((at) => ({ from: at, to: at + restHours * HOUR }));
  return rests.filter((rest) => rest.to <= to && !certain.some((one) => intersects(one, rest)));
}

function largestSum(
  { amountsOf }: Extract<Count, { kind: 'sum' }>,
  held: readonly Counted[],
  gained: Counted,
): number {
  const own = amountsOf(gained);
  const periods = new Set(own.map(({ period }) => period));
  const all = [...held.flatMap(amountsOf), ...own].filter(({ period }) => periods.has(period));
  const sums = new Map<string, number>();
  for (const { period, amount } of new Map(all.map((one) => [`${one.period} ${one.id}`, one])).values())
    sums.set(period, (sums.get(period) ?? 0) + amount);
  return Math.max(0, ...sums.values());
}

function longestRow(
  { stepsOf, slack }: Extract<Count, { kind: 'row' }>,
  held: readonly Counted[],
  gained: Counted,
): number {
  const own = new Set(stepsOf(gained).map(({ id }) => id));
  if (own.size === 0) return 0;
  return longestWith([...held, gained].flatMap(stepsOf), slack, ({ id }) => own.has(id));
}

/** The length of the longest row that contains one of some steps. */
export function longestWith(
  steps: readonly Step[],
  slack: number,
  isWanted: (step: Step) => boolean,
): number {
  const sorted = [...new Map(steps.map((step) => [step.id, step])).values()].sort(
    (a, b) => a.at - b.at || a.until - b.until,
  );
  /** By step: the longest row that ends with it, and the longest of those that contain a wanted one. */
  const ends: { step: Step; all: number; wanted: number }[] = [];
  let longest = 0;
  for (const step of sorted) {
    const before = ends.filter((one) => follows(one.step, step, slack));
    const all = 1 + Math.max(0, ...before.map((one) => one.all));
    const wanted = isWanted(step)
      ? all
      : Math.max(0, ...before.map((one) => (one.wanted > 0 ? one.wanted + 1 : 0)));
    ends.push({ step, all, wanted });
    longest = Math.max(longest, wanted);
  }
  return longest;
}

/** Whether giving away a shift may help a person to gain another one within the limits that they would exceed. */
export function mayGiveWay(
  limits: readonly Limit[],
  held: readonly Counted[],
  gained: Counted,
  given: Counted,
): boolean {
  return limits.some((limit) => {
    if (limit.kind === 'sum') {
      if (!isMore(largestSum(limit, held, gained), limit.most)) return false;
      const periods = new Set(limit.amountsOf(gained).map(({ period }) => period));
      return limit.amountsOf(given).some(({ period }) => periods.has(period));
    }
    if (limit.kind === 'free') {
      const busy = limit.busyOf(given);
      return limit
        .busyOf(gained)
        .some(
          ({ week }) =>
            busy.some((one) => one.week.from === week.from) &&
            isMore(limit.most, longestFree(week, [...held, gained].flatMap(limit.busyOf))),
        );
    }
    if (!isMore(longestRow(limit, held, gained), limit.most)) return false;
    const [mine, others] = [limit.stepsOf(gained), limit.stepsOf(given)];
    // More distant shifts may be in the same row, but not further away than the row is long.
    return others.some((other) => inOneRow(limit, held, mine, other));
  });
}

/** Whether a step is in one row with some others, directly or through steps between them. */
function inOneRow(
  { stepsOf, slack }: Extract<Count, { kind: 'row' }>,
  held: readonly Counted[],
  mine: readonly Step[],
  wanted: Step,
): boolean {
  const all = held.flatMap(stepsOf);
  const seen = new Map(mine.map((step) => [step.id, step]));
  for (const step of seen.values()) {
    if (step.id === wanted.id) return true;
    for (const next of all)
      if (follows(step, next, slack) || follows(next, step, slack))
        if (!seen.has(next.id)) seen.set(next.id, next);
  }
  return false;
}
