import {
  parseRecurrence,
  type Recurrence,
  recurrenceDates,
  recurrenceText,
} from '../calendars/recurrence.ts';
import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

/** A parsed pattern. Times and dates are local to the schedule. */
export type Rhythm = { time: Temporal.PlainTime; anchor: Temporal.PlainDate } & (
  | { kind: 'days'; days: number }
  | { kind: 'hours'; hours: number }
  | { kind: 'recurrence'; recurrence: Recurrence }
);

/** The default anchor, a Monday and the first day of a month and year, so that all patterns without one agree. */
export const DEFAULT_ANCHOR = Temporal.PlainDate.from('2024-01-01');
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export type Unit =
  | { kind: 'days' | 'weeks' | 'hours'; count: number }
  | { kind: 'recurrence'; recurrence: Recurrence };
export type Handoff = { weekday: number | null; time: Temporal.PlainTime };

export function readUnit(given: Record<string, unknown>, problems: Detail[]): Unit | null {
  const { every, rrule } = given;
  if (every !== undefined && rrule !== undefined) {
    problems.push({ field: 'rrule', message: t('cannot be combined with every; give only one of them') });
    return null;
  }
  if (rrule !== undefined) return readRecurrence('rrule', rrule, problems);
  if (typeof every === 'string' && /FREQ\s*=/i.test(every)) return readRecurrence('every', every, problems);
  const unit = typeof every === 'string' ? readEvery(every) : null;
  if (unit) return unit;
  const problem =
    every === undefined ? t('is missing') : t('is {value}', { value: JSON.stringify(every) ?? t('no text') });
  problems.push({
    field: 'every',
    message: t(
      '{problem}; give day, week, "12 hours", "2 weeks" or a recurrence rule such as "FREQ=WEEKLY;BYDAY=MO,TH"',
      { problem },
    ),
  });
  return null;
}

function readEvery(text: string): Unit | null {
  const match = /^(?:(\d{1,4})\s+)?(hour|day|week)s?$/i.exec(text.trim());
  if (!match) return null;
  const count = Number(match[1] ?? 1);
  const kind = `${match[2]?.toLowerCase()}s` as 'hours' | 'days' | 'weeks';
  const hours = count * { hours: 1, days: 24, weeks: 168 }[kind];
  // A shift of more than a year is treated as a typing mistake.
  return count >= 1 && hours <= 366 * 24 ? { kind, count } : null;
}

function readRecurrence(field: string, value: unknown, problems: Detail[]): Unit | null {
  if (typeof value !== 'string') {
    problems.push({ field, message: t('must be a text such as "FREQ=WEEKLY;BYDAY=MO,TH"') });
    return null;
  }
  const read = parseRecurrence(value);
  if ('recurrence' in read) return { kind: 'recurrence', recurrence: read.recurrence };
  for (const message of read.problems) problems.push({ field, message });
  return null;
}

export function readHandoff(
  value: unknown,
  unit: Unit | null,
  opening: string | undefined,
  problems: Detail[],
): Handoff | null {
  const weekly = unit?.kind === 'weeks';
  const hint = weekly ? '"Monday 09:00"' : '"09:00"';
  const text = value === undefined ? defaultHandoff(unit, opening) : value;
  const match = typeof text === 'string' ? /^(?:([a-z]+)\s+)?(\d{1,2}):(\d\d)$/i.exec(text.trim()) : null;
  const [hour, minute] = [Number(match?.[2]), Number(match?.[3])];
  const weekday = match?.[1] ? weekdayOf(match[1]) : null;
  if (!match || hour > 23 || minute > 59 || weekday === 0) {
    problems.push({
      field: 'handoff',
      message: t('is {text}; give a local time such as {hint}', { text: JSON.stringify(text), hint }),
    });
    return null;
  }
  if (unit && weekly !== (weekday !== null)) {
    const message = weekly
      ? t('names no weekday; give {hint}', { hint })
      : t('names a weekday, but only shifts of whole weeks change on a weekday; give {hint}', { hint });
    problems.push({ field: 'handoff', message });
    return null;
  }
  return { weekday, time: Temporal.PlainTime.from({ hour, minute }) };
}

/** With weekly hours, shifts change hands when the hours begin. */
function defaultHandoff(unit: Unit | null, opening: string | undefined): string {
  if (unit?.kind === 'weeks') return `Monday ${opening ?? '09:00'}`;
  return opening ?? (unit?.kind === 'hours' ? '00:00' : '09:00');
}

/** 1 for Monday to 7 for Sunday, 0 for any other text. Accepts `Mon` and `monday` as well. */
function weekdayOf(text: string): number {
  const wanted = text.toLowerCase();
  return (
    WEEKDAYS.findIndex((name) => [name, name.slice(0, 3)].some((known) => known.toLowerCase() === wanted)) + 1
  );
}

export function rhythmFrom(unit: Unit, handoff: Handoff, anchor: Temporal.PlainDate): Rhythm {
  const { time } = handoff;
  switch (unit.kind) {
    case 'recurrence':
      return { kind: 'recurrence', recurrence: unit.recurrence, time, anchor };
    case 'hours':
      // Multiples of 24 hours are days: 48 hours across a clock change still hand over at the same local time.
      if (unit.count % 24 === 0) return { kind: 'days', days: unit.count / 24, time, anchor };
      return { kind: 'hours', hours: unit.count, time, anchor };
    case 'days':
      return { kind: 'days', days: unit.count, time, anchor };
    case 'weeks': {
      const days = ((handoff.weekday ?? 1) - anchor.dayOfWeek + 7) % 7;
      return { kind: 'days', days: 7 * unit.count, time, anchor: anchor.add({ days }) };
    }
  }
}

export function comesRound(rhythm: Rhythm): boolean {
  if (rhythm.kind !== 'recurrence') return true;
  const { anchor, recurrence } = rhythm;
  return recurrenceDates(recurrence, anchor, anchor, anchor.add({ years: 12 })).length > 2;
}

/** The rule and its hand-off in canonical form. */
export function canonicalRule(
  unit: Unit,
  handoff: Handoff,
): ({ every: string } | { rrule: string }) & { handoff: string } {
  const time = handoff.time.toString({ smallestUnit: 'minute' });
  const weekday = handoff.weekday === null ? '' : `${WEEKDAYS[handoff.weekday - 1]} `;
  const at = { handoff: `${weekday}${time}` };
  if (unit.kind === 'recurrence') return { rrule: recurrenceText(unit.recurrence), ...at };
  return { every: unit.count === 1 ? unit.kind.slice(0, -1) : `${unit.count} ${unit.kind}`, ...at };
}
