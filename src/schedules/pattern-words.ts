import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { repeatWords, weekdayName } from '../calendars/repeat-words-contract.ts';
import { commas, locale, t } from '../language/contract.ts';
import { DAYS, type Hours } from './hours.ts';
import type { Pattern, PatternVersion } from './pattern.ts';
import { WEEKDAYS } from './rhythm.ts';

/** A pattern in everyday words of the current language: `every Monday and Friday, hand-off 09:00`. */
export function patternWords(pattern: Pattern): string {
  return wordsOf(pattern, ruleWords);
}

/** The same for lists of changes: different patterns give different texts, so a rule that no form creates stays as it is. */
export function patternText(pattern: Pattern): string {
  return wordsOf(pattern, (rrule) => rrule);
}

function wordsOf(pattern: Pattern, otherRule: (rrule: string) => string): string {
  const words = versionWords(pattern, otherRule);
  const first = pattern.from ? t('from {day} {pattern}', { day: pattern.from, pattern: words }) : words;
  return (pattern.changes ?? []).reduce(
    (before, change) =>
      t('{before}, from {day} {pattern}', {
        before,
        day: change.from,
        pattern: versionWords(change, otherRule),
      }),
    first,
  );
}

function versionWords(version: PatternVersion, otherRule: (rrule: string) => string): string {
  const rule = 'every' in version ? everyWords(version.every) : repeatWords(version.rrule, otherRule);
  const pattern = t('{rule}, hand-off {time}', { rule, time: handoffWords(version.handoff) });
  const counted = version.starts_on
    ? t('{pattern}, counted from {day}', { pattern, day: version.starts_on })
    : pattern;
  return version.hours
    ? t('{pattern}, {hours} only', { pattern: counted, hours: hoursText(version.hours) })
    : counted;
}

/** `every` as the database stores it: `day`, `2 weeks`. */
function everyWords(every: string): string {
  const [, number, unit] = /^(?:(\d+) )?(hour|day|week)s?$/.exec(every) ?? [];
  const count = Number(number ?? 1);
  if (unit === 'hour') return t('{count, plural, =1 {every hour} other {every {count} hours}}', { count });
  if (unit === 'day') return count === 1 ? t('every day') : t('every {count} days', { count });
  return count === 1 ? t('every week') : t('every {count} weeks', { count });
}

/**
 * Rules that no form creates. The library supports a few languages, some of them badly. Readers of other languages see
 * the rule itself.
 */
function ruleWords(rrule: string): string {
  if (locale() !== 'en') return rrule;
  // The start does not affect the wording, and its time is removed because the hand-off has it.
  const rule = new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:20260105T000000\nRRULE:${rrule}` });
  return toText(rule).replace(/ at \d.*$/, '');
}

/** `Monday 09:00`, or `09:00`. */
function handoffWords(handoff: string): string {
  const [first = '', time] = handoff.split(' ');
  return time ? t('{day} {time}', { day: weekdayName(WEEKDAYS.indexOf(first)), time }) : first;
}

/** `Mon–Fri 09:00–17:00, Sat 10:00–14:00` */
export function hoursText(hours: readonly Hours[]): string {
  return commas(hours.map(hoursWords));
}

function hoursWords({ days, from, to }: Hours): string {
  return t('{days} {from}–{to}', { days: daysWords(days.map((day) => DAYS.indexOf(day))), from, to });
}

function daysWords(days: readonly number[]): string {
  if (days.length === 7) return t('every day');
  const name = (day: number) => weekdayName(day, 'short');
  const [first = 0] = days;
  const isRun = days.length > 2 && days.every((day, index) => day === first + index);
  return isRun ? `${name(first)}–${name(days.at(-1) ?? first)}` : commas(days.map(name));
}
