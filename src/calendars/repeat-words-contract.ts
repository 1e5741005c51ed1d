import { listed, locale, t } from '../language/contract.ts';

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

export const WORKDAYS = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

/** The rule that repeats weekly, or every so many weeks, on the weekday of a date, 1 for Monday to 7 for Sunday. */
export function weeklyOn(weekday: number, weeks = 1): string {
  const interval = weeks === 1 ? '' : `;INTERVAL=${weeks}`;
  return `FREQ=WEEKLY${interval};BYDAY=${DAYS[weekday - 1] ?? 'MO'}`;
}

/** `Monday`: the name of a weekday in the current language; 0 for Monday to 6 for Sunday. */
export function weekdayName(day: number, weekday: 'long' | 'short' = 'long'): string {
  // The 1 January 2024 was a Monday.
  return weekdayFormat(weekday).format(Date.UTC(2024, 0, day + 1));
}

/** By locale and length. A format takes a phone a millisecond to make, and a report needs the names 180 times. */
const weekdayFormats = new Map<string, Intl.DateTimeFormat>();

function weekdayFormat(weekday: 'long' | 'short'): Intl.DateTimeFormat {
  const key = `${locale()} ${weekday}`;
  const made = weekdayFormats.get(key) ?? new Intl.DateTimeFormat(locale(), { weekday, timeZone: 'UTC' });
  weekdayFormats.set(key, made);
  return made;
}

/**
 * `every Sunday`, `every other Tuesday`, `every day`. Rules that no form creates are worded by `other`, by default
 * unchanged.
 */
export function repeatWords(rrule: string, other = (rule: string) => rule): string {
  if (rrule === WORKDAYS) return t('on working days');
  const [, every, count = '1', codes] =
    /^FREQ=(DAILY|WEEKLY)(?:;INTERVAL=(\d+))?(?:;BYDAY=([A-Z,]+))?$/.exec(rrule) ?? [];
  const days = (codes?.split(',') ?? []).map((code) => DAYS.indexOf(code));
  const isKnown = every === 'DAILY' ? !codes : every === 'WEEKLY' && days.length > 0 && !days.includes(-1);
  if (!isKnown) return other(rrule);
  return days.length === 0
    ? dailyWords(Number(count))
    : weeklyWords(Number(count), listed(days.map((day) => weekdayName(day))));
}

function dailyWords(count: number): string {
  if (count === 1) return t('every day');
  return count === 2 ? t('every other day') : t('every {count} days', { count });
}

function weeklyWords(count: number, days: string): string {
  if (count === 1) return t('every {days}', { days });
  return count === 2
    ? t('every other {days}', { days })
    : t('every {count} weeks on {days}', { count, days });
}
