import { type Exceeded, LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';

/** How a limit is said: of what there are at most so many, and of which one is too many. */
const WORDS: Record<LimitName, { one: string; many: string; within: string; of: string }> = {
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
  return LIMIT_NAMES.flatMap((name) => {
    const most = limits[name] ?? null;
    if (most === null) return [];
    const { one, many, within } = WORDS[name];
    return [`at most ${most} ${most === 1 ? one : many}${within}`];
  });
}

/** The limits that are different for a person: `any number of nights in a row`. */
export function ownLimitsText(limits: Limits): string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const { many, within } = WORDS[name];
    return limits[name] === null ? [`any number of ${many}${within}`] : limitsText({ [name]: limits[name] });
  });
}

/**
 * Why a person cannot have a shift, after their name: `cannot: it would be their second weekend in a row`; without a
 * limit, of a plan of an earlier release, only that there is one.
 */
export function exceededText(exceeded: Exceeded | undefined): string {
  if (!exceeded) return 'has all the shifts that the schedule allows';
  const { limit, most, count } = exceeded;
  const { many, of } = WORDS[limit];
  if (limit === 'hoursPerWeek')
    return `cannot: it would be ${Math.round(count * 10) / 10} ${many} ${of}, and the limit is ${most}`;
  return `cannot: it would be their ${ordinal(count)} ${WORDS[limit].one} ${of}, and the limit is ${most}`;
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
