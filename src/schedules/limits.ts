/**
 * What one person may have at most: shifts, hours, weekends, nights. Planning, covers, swaps and previews count by these
 * rules; they differ in how they look up a person's shifts.
 */
import { type Interval, overlapMs } from '../kit/interval.ts';
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
  'weekendsPerMonth',
  'weekendsInARow',
  'nightsInARow',
  'shiftsInARow',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** The most of each that one person may have; null or absent for any number. */
export type Limits = { readonly [name in LimitName]?: number | null };

/** A shift of a person, as limits count it. */
export type Counted = {
  /** Equal for all parts of one shift. */
  key: string;
  /** The whole shift. A person who has a part of a weekend has a weekend; only hours count by what the person has. */
  whole: Stint;
  /** What the person has of it, without overlaps. */
  spans: readonly Interval[];
  /** For a piece of a shift that several people share: that shift. */
  shared?: Interval;
};

/** What a shift adds to a period (a local week or month). Amounts with the same id are the same and count once. */
export type Amount = { id: string; period: string; amount: number };

/** A place in a row. One follows another if less than the `slack` of the limit lies between them. */
export type Step = { id: string; at: number; until: number };

/** A sum over a period, or a row without a break. */
export type Count =
  | { kind: 'sum'; amountsOf(shift: Counted): readonly Amount[] }
  | { kind: 'row'; stepsOf(shift: Counted): readonly Step[]; slack: number };
export type Limit = { name: LimitName; most: number } & Count;

/** A limit that a person would exceed, and how much of it they would have. */
export type Exceeded = { limit: LimitName; most: number; count: number };

/** Hours are sums of fractions. */
const EXACT = 1e-6;

export function isMore(count: number, most: number): boolean {
  return count > most + EXACT;
}

export function follows(before: Step, after: Step, slack: number): boolean {
  return after.at >= before.until && after.at - before.until < slack;
}

/** Returns a function that gives the limits that are set. It remembers what it has counted, so keep it while it is used. */
export function limitsIn(timeZone: string): (limits: Limits) => Limit[] {
  const counts = countsIn(timeZone);
  return (limits) =>
    LIMIT_NAMES.flatMap((name): Limit[] => {
      const most = limits[name] ?? null;
      return most === null ? [] : [{ name, most, ...counts[name] }];
    });
}

function countsIn(timeZone: string): Record<LimitName, Count> {
  const [week, month] = [remembered(weekIn(timeZone)), remembered(monthIn(timeZone))];
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
    hoursPerWeek: { kind: 'sum', amountsOf: (shift) => hoursOf(shift, week, timeZone) },
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

/** Remembers results, because the same shifts are counted many times. */
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
  // Pieces of a shared shift may be joined later, and have enough of the weekend then.
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
    const count = limit.kind === 'sum' ? largestSum(limit, held, gained) : longestRow(limit, held, gained);
    if (isMore(count, limit.most)) return { limit: limit.name, most: limit.most, count };
  }
  return null;
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
    if (!isMore(longestRow(limit, held, gained), limit.most)) return false;
    const [mine, others] = [limit.stepsOf(gained), limit.stepsOf(given)];
    // More distant shifts may be in the same row, but not further away than it is long.
    return others.some((other) => inOneRow(limit, held, mine, other));
  });
}

/** Whether a step is in one row with some others, directly or by the steps between them. */
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
