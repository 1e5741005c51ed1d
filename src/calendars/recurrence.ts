import { type RRuleOptions, RRuleTemporal } from 'rrule-temporal';
import { t } from '../language/contract.ts';

/** The part of an RFC 5545 recurrence rule that gives the dates of hand-offs. */
export type Recurrence = {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  interval: number;
  byDay: string[];
  byMonthDay: number[];
  bySetPos: number[];
};

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const WEEKDAY = new RegExp(`^(?:${WEEKDAYS.join('|')})$`);
const NTH_WEEKDAY = new RegExp(`^(?:[+-]?[1-5])?(?:${WEEKDAYS.join('|')})$`);
/** A shift of more than a year is treated as a typing mistake. */
const LONGEST = { DAILY: 366, WEEKLY: 52, MONTHLY: 12 };
const KNOWN = 'FREQ, INTERVAL, BYDAY, BYMONTHDAY and BYSETPOS';

/** Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,TH`, or lists its problems. */
export function parseRecurrence(text: string): { recurrence: Recurrence } | { problems: string[] } {
  const problems: string[] = [];
  const parts = new Map<string, string>();
  for (const part of text.replace(/^RRULE:/i, '').split(';')) {
    const [, name, value] = /^\s*([A-Za-z]+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (!name || !value)
      problems.push(t('has the part {part}; write NAME=VALUE', { part: JSON.stringify(part) }));
    else if (parts.has(name.toUpperCase()))
      problems.push(t('has {name} twice; keep one', { name: name.toUpperCase() }));
    else parts.set(name.toUpperCase(), value.toUpperCase());
  }
  problems.push(...[...parts.keys()].flatMap(unknownPart));
  const recurrence = readParts(parts, problems);
  return problems.length > 0 ? { problems } : { recurrence };
}

function unknownPart(name: string): string[] {
  if (['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYSETPOS', 'WKST'].includes(name)) return [];
  if (name === 'COUNT' || name === 'UNTIL')
    return [t('has {name}, but shifts have no end; leave it out', { name })];
  if (/^BY(HOUR|MINUTE|SECOND)$/.test(name))
    return [t('has {name}; give the time of the hand-off in "handoff" instead', { name })];
  return [t('has {name}, which is not supported; use {known}', { name, known: KNOWN })];
}

function readParts(parts: Map<string, string>, problems: string[]): Recurrence {
  const freq = FREQUENCIES.find((known) => known === parts.get('FREQ'));
  if (!freq) problems.push(t('has no supported FREQ; give FREQ=DAILY, FREQ=WEEKLY or FREQ=MONTHLY'));
  const monthly = freq === 'MONTHLY';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const longest = LONGEST[freq ?? 'DAILY'];
  if (!Number.isInteger(interval) || interval < 1 || interval > longest)
    problems.push(t('has an INTERVAL out of range; give a whole number from 1 to {longest}', { longest }));
  const byDay = list(parts.get('BYDAY'));
  if (!byDay.every((day) => (monthly ? NTH_WEEKDAY : WEEKDAY).test(day)))
    problems.push(
      monthly
        ? t('has a BYDAY that is not a list of weekdays; give one such as MO,TH or 1MO,-1FR')
        : t('has a BYDAY that is not a list of weekdays; give one such as MO,TH (1MO needs FREQ=MONTHLY)'),
    );
  const byMonthDay = numbers(parts.get('BYMONTHDAY'), 31, 'BYMONTHDAY', problems);
  const bySetPos = numbers(parts.get('BYSETPOS'), 31, 'BYSETPOS', problems);
  if (!monthly && byMonthDay.length + bySetPos.length > 0)
    problems.push(
      t('has BYMONTHDAY or BYSETPOS, which need FREQ=MONTHLY; leave them out, or give FREQ=MONTHLY'),
    );
  if (parts.has('WKST') && parts.get('WKST') !== 'MO')
    problems.push(t('has a WKST other than MO, but weeks begin on Monday; leave WKST out'));
  return { freq: freq ?? 'DAILY', interval, byDay, byMonthDay, bySetPos };
}

function list(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',');
}

function numbers(value: string | undefined, limit: number, name: string, problems: string[]): number[] {
  const found = list(value).map(Number);
  if (!found.every((number) => Number.isInteger(number) && number !== 0 && Math.abs(number) <= limit))
    problems.push(
      t('has a {name} out of range; give whole numbers from 1 to {limit} or -1 to -{limit}', {
        name,
        limit,
      }),
    );
  return found;
}

/** The rule in its canonical form. */
export function recurrenceText(recurrence: Recurrence): string {
  const { freq, interval, byDay, byMonthDay, bySetPos } = recurrence;
  const parts = [`FREQ=${freq}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (byDay.length > 0) parts.push(`BYDAY=${byDay.join(',')}`);
  if (byMonthDay.length > 0) parts.push(`BYMONTHDAY=${byMonthDay.join(',')}`);
  if (bySetPos.length > 0) parts.push(`BYSETPOS=${bySetPos.join(',')}`);
  return parts.join(';');
}

/**
 * The rule's dates from `first` to `last`, inclusive, counted from `anchor` in both directions. The library computes
 * dates only: RFC 5545 skips times that do not exist in a zone, but a hand-off must not be skipped.
 */
export function recurrenceDates(
  recurrence: Recurrence,
  anchor: Temporal.PlainDate,
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const options: RRuleOptions<Temporal.ZonedDateTime> = {
    ...withDefaults(recurrence, anchor),
    dtstart: midnight(periodBefore(recurrence, anchor, first)),
    temporal: Temporal,
  };
  return new RRuleTemporal(options)
    .between(midnight(first), midnight(last), true)
    .map((date) => date.toPlainDate());
}

function midnight(date: Temporal.PlainDate): Temporal.ZonedDateTime {
  return date.toZonedDateTime('UTC');
}

/** States explicitly what RFC 5545 would derive from the start date, so that the start can be moved. */
function withDefaults(
  recurrence: Recurrence,
  anchor: Temporal.PlainDate,
): { freq: Recurrence['freq']; interval: number } & Partial<Recurrence> {
  const { freq, interval, bySetPos } = recurrence;
  const days = recurrence.byDay.length + recurrence.byMonthDay.length;
  const byDay = freq === 'WEEKLY' && days === 0 ? [WEEKDAYS[anchor.dayOfWeek - 1] ?? 'MO'] : recurrence.byDay;
  const byMonthDay = freq === 'MONTHLY' && days === 0 ? [anchor.day] : recurrence.byMonthDay;
  return {
    freq,
    interval,
    ...(byDay.length > 0 ? { byDay } : {}),
    ...(byMonthDay.length > 0 ? { byMonthDay } : {}),
    ...(bySetPos.length > 0 ? { bySetPos } : {}),
  };
}

/** The start of the last day, week or month at or before `date` that the interval includes, counted from the anchor. */
function periodBefore(
  { freq, interval }: Recurrence,
  anchor: Temporal.PlainDate,
  date: Temporal.PlainDate,
): Temporal.PlainDate {
  if (freq === 'MONTHLY') {
    const start = anchor.with({ day: 1 });
    const months = start.until(date.with({ day: 1 }), { largestUnit: 'months' }).months;
    return start.add({ months: Math.floor(months / interval) * interval });
  }
  const length = freq === 'WEEKLY' ? 7 * interval : interval;
  const start = freq === 'WEEKLY' ? anchor.subtract({ days: anchor.dayOfWeek - 1 }) : anchor;
  const days = start.until(date).days;
  return start.add({ days: Math.floor(days / length) * length });
}
