import { averageWeeks, type Exceeded, LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';

/** How a limit is worded: the plural for the limit itself, and the singular for exceeding it by one. */
const WORDS: Record<
  Exclude<LimitName, 'averageHoursPerWeek' | 'weeklyRestHours'>,
  { one: string; many: string; within: string; of: string }
> = {
  shiftsPerWeek: { one: 'shift', many: 'shifts', within: ' a week', of: 'of that week' },
  shiftsPerMonth: { one: 'shift', many: 'shifts', within: ' a month', of: 'of that month' },
  hoursPerWeek: { one: 'hour', many: 'hours', within: ' a week', of: 'in that week' },
  weekendsPerMonth: { one: 'weekend', many: 'weekends', within: ' a month', of: 'of that month' },
  weekendsInARow: { one: 'weekend', many: 'weekends', within: ' in a row', of: 'in a row' },
  nightsInARow: { one: 'night', many: 'nights', within: ' in a row', of: 'in a row' },
  shiftsInARow: { one: 'shift', many: 'shifts', within: ' in a row', of: 'in a row' },
};

/** `at most 1 weekend in a row`, for each limit that is set. */
export function limitsText(limits: Limits): string[] {
  return [...LIMIT_NAMES.flatMap((name) => limitText(name, limits)), ...weeksText(limits)];
}

function limitText(name: LimitName, limits: Limits): string[] {
  const most = limits[name] ?? null;
  if (most === null) return [];
  if (name === 'averageHoursPerWeek')
    return [`at most ${hoursText(most)} a week on average over ${averageWeeks(limits)} weeks`];
  if (name === 'weeklyRestHours') return [`at least ${hoursText(most)} free in a row each week`];
  const { one, many, within } = WORDS[name];
  return [`at most ${most} ${most === 1 ? one : many}${within}`];
}

/** The weeks of an average whose hours are not among these limits. */
function weeksText({ averageHoursPerWeek, averageWeeks: weeks }: Limits): string[] {
  return typeof weeks === 'number' && typeof averageHoursPerWeek !== 'number'
    ? [`hours averaged over ${weeks} weeks`]
    : [];
}

/** The limits that are different for a person: `any number of nights in a row`. */
export function ownLimitsText(limits: Limits): string[] {
  const own = LIMIT_NAMES.flatMap((name) =>
    limits[name] === null ? [noLimitText(name)] : limitText(name, limits),
  );
  return [...own, ...weeksText(limits)];
}

function noLimitText(name: LimitName): string {
  if (name === 'averageHoursPerWeek') return 'any number of hours a week on average';
  if (name === 'weeklyRestHours') return 'no weekly rest';
  const { many, within } = WORDS[name];
  return `any number of ${many}${within}`;
}

/**
 * Why a person cannot have a shift, after their name: `cannot: it would be their second weekend in a row`. Without a
 * limit (in a plan of an earlier release), only that there is one.
 */
export function exceededText(exceeded: Exceeded | undefined): string {
  if (!exceeded) return 'has all the shifts that the schedule allows';
  const { limit, most, count, week, weeks } = exceeded;
  if (limit === 'weeklyRestHours') return `cannot: ${withoutRestText(most, count, week)}`;
  const hours = Math.round(count * 10) / 10;
  if (limit === 'averageHoursPerWeek')
    return `cannot: it would be ${hours} hours a week on average over ${weeks} weeks, and the limit is ${most}`;
  const { many, of } = WORDS[limit];
  if (limit === 'hoursPerWeek') return `cannot: it would be ${hours} ${many} ${of}, and the limit is ${most}`;
  return `cannot: it would be their ${ordinal(count)} ${WORDS[limit].one} ${of}, and the limit is ${most}`;
}

/** `it would leave them no free day in the week of 3 May`. Rounded down, because 23.99 hours are no day. */
function withoutRestText(least: number, free: number, week: string | undefined): string {
  const of = week === undefined ? 'that week' : `the week of ${dayText(week)}`;
  if (least === 24) return `it would leave them no free day in ${of}`;
  const left = Math.floor(free * 10) / 10;
  return `it would leave them ${left === 0 ? 'no free time' : `only ${hoursText(left)} free in a row`} in ${of}, and the schedule asks for ${least}`;
}

function hoursText(hours: number): string {
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}

/** `3 May`. */
function dayText(date: string): string {
  return Temporal.PlainDate.from(date).toLocaleString('en-GB', { day: 'numeric', month: 'long' });
}

const ORDINALS = [
  '',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

function ordinal(count: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(count);
  return ORDINALS[count] ?? `${count}${ENDINGS[rule]}`;
}
