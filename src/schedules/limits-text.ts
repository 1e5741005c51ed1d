import { locale, t } from '../language/contract.ts';
import { averageWeeks, type Exceeded, LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';

/** `at most 1 weekend in a row`, for each limit that is set. */
export function limitsText(limits: Limits): string[] {
  return [...LIMIT_NAMES.flatMap((name) => limitText(name, limits)), ...weeksText(limits)];
}

function limitText(name: LimitName, limits: Limits): string[] {
  const most = limits[name] ?? null;
  if (most === null) return [];
  switch (name) {
    case 'averageHoursPerWeek': {
      const weeks = averageWeeks(limits);
      return [
        t(
          'at most {most, plural, one {# hour} other {# hours}} a week on average over {weeks, plural, one {# week} other {# weeks}}',
          { most, weeks },
        ),
      ];
    }
    case 'weeklyRestHours':
      return [
        t('at least {most, plural, one {# free hour} other {# free hours}} in a row each week', { most }),
      ];
    case 'shiftsPerWeek':
      return [t('at most {most, plural, one {# shift} other {# shifts}} a week', { most })];
    case 'shiftsPerMonth':
      return [t('at most {most, plural, one {# shift} other {# shifts}} a month', { most })];
    case 'hoursPerWeek':
      return [t('at most {most, plural, one {# hour} other {# hours}} a week', { most })];
    case 'weekendsPerMonth':
      return [t('at most {most, plural, one {# weekend} other {# weekends}} a month', { most })];
    case 'weekendsInARow':
      return [t('at most {most, plural, one {# weekend} other {# weekends}} in a row', { most })];
    case 'nightsInARow':
      return [t('at most {most, plural, one {# night} other {# nights}} in a row', { most })];
    case 'shiftsInARow':
      return [t('at most {most, plural, one {# shift} other {# shifts}} in a row', { most })];
  }
}

/** The weeks of an average whose hours are not among these limits. */
function weeksText({ averageHoursPerWeek, averageWeeks: weeks }: Limits): string[] {
  return typeof weeks === 'number' && typeof averageHoursPerWeek !== 'number'
    ? [t('hours averaged over {weeks, plural, one {# week} other {# weeks}}', { weeks })]
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
  return {
    averageHoursPerWeek: () => t('any number of hours a week on average'),
    weeklyRestHours: () => t('no weekly rest'),
    shiftsPerWeek: () => t('any number of shifts a week'),
    shiftsPerMonth: () => t('any number of shifts a month'),
    hoursPerWeek: () => t('any number of hours a week'),
    weekendsPerMonth: () => t('any number of weekends a month'),
    weekendsInARow: () => t('any number of weekends in a row'),
    nightsInARow: () => t('any number of nights in a row'),
    shiftsInARow: () => t('any number of shifts in a row'),
  }[name]();
}

/**
 * Why a person cannot have a shift: `Ada cannot: it would be their second weekend in a row, and the limit is 1`; without a
 * limit, of a plan of an earlier release, only that there is one.
 */
export function exceededText(name: string, exceeded: Exceeded | undefined): string {
  if (!exceeded) return t('{name} has all the shifts that the schedule allows', { name });
  const { limit, most, count, week, weeks } = exceeded;
  if (limit === 'weeklyRestHours') return withoutRestText(name, most, count, week);
  const hours = Math.round(count * 10) / 10;
  if (limit === 'averageHoursPerWeek')
    return t(
      '{name} cannot: it would be {hours, number} hours a week on average over {weeks} weeks, and the limit is {most, number}',
      { name, hours, weeks: weeks ?? 0, most },
    );
  if (limit === 'hoursPerWeek')
    return t(
      '{name} cannot: it would be {hours, number} hours in that week, and the limit is {most, number}',
      {
        ...{ name, hours, most },
      },
    );
  return oneTooManyText(limit, { name, nth: nthText(count), most });
}

/** `nth`: which one of its kind the shift would be. */
function oneTooManyText(
  limit: Exclude<LimitName, 'averageHoursPerWeek' | 'weeklyRestHours' | 'hoursPerWeek'>,
  values: { name: string; nth: string; most: number },
): string {
  switch (limit) {
    case 'shiftsPerWeek':
      return t('{name} cannot: it would be their {nth} shift of that week, and the limit is {most}', values);
    case 'shiftsPerMonth':
      return t('{name} cannot: it would be their {nth} shift of that month, and the limit is {most}', values);
    case 'weekendsPerMonth':
      return t(
        '{name} cannot: it would be their {nth} weekend of that month, and the limit is {most}',
        values,
      );
    case 'weekendsInARow':
      return t('{name} cannot: it would be their {nth} weekend in a row, and the limit is {most}', values);
    case 'nightsInARow':
      return t('{name} cannot: it would be their {nth} night in a row, and the limit is {most}', values);
    case 'shiftsInARow':
      return t('{name} cannot: it would be their {nth} shift in a row, and the limit is {most}', values);
  }
}

/** `Ada cannot: it would leave them no free day in the week of 3 May`. Rounded down, because 23.99 hours are not a day. */
function withoutRestText(name: string, least: number, free: number, week: string | undefined): string {
  const when = week === undefined ? t('that week') : t('the week of {day}', { day: dayText(week) });
  if (least === 24) return t('{name} cannot: it would leave them no free day in {when}', { name, when });
  const left = Math.floor(free * 10) / 10;
  return left === 0
    ? t(
        '{name} cannot: it would leave them no free time in {when}, and the schedule asks for {least, number}',
        {
          ...{ name, when, least },
        },
      )
    : t(
        '{name} cannot: it would leave them only {left, plural, one {# free hour} other {# free hours}} in a row in {when}, and the schedule asks for {least, number}',
        { name, when, least, left },
      );
}

/** `3 May`. */
function dayText(date: string): string {
  return Temporal.PlainDate.from(date).toLocaleString(locale() === 'en' ? 'en-GB' : locale(), {
    day: 'numeric',
    month: 'long',
  });
}

/** `second`. */
function nthText(count: number): string {
  return t(
    '{count, selectordinal, =1 {first} =2 {second} =3 {third} =4 {fourth} =5 {fifth} =6 {sixth} =7 {seventh} =8 {eighth} =9 {ninth} =10 {tenth} one {#st} two {#nd} few {#rd} other {#th}}',
    { count },
  );
}
