import type { Detail } from '../../kit/fault.ts';
import { parseRecurrence, type Recurrence, recurrenceDates, recurrenceText } from './recurrence.ts';

/**
 * When shifts change hands, as the schedule's author wrote it, in one canonical form: this is what the database keeps.
 * `starts_on` (a local date) is where counting begins when shifts are longer than a day or a week.
 */
export type Pattern = ({ every: string } | { rrule: string }) & { handoff: string; starts_on?: string };

/** A pattern that has been understood. Times and dates are local to the schedule. */
export type Rhythm = { time: Temporal.PlainTime; anchor: Temporal.PlainDate } & (
  | { kind: 'days'; days: number }
  | { kind: 'hours'; hours: number }
  | { kind: 'recurrence'; recurrence: Recurrence }
);

/** A Monday and the first of a month and a year: whoever says nothing else counts from here, so everybody agrees. */
const DEFAULT_ANCHOR = Temporal.PlainDate.from('2024-01-01');
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const KEYS = ['every', 'rrule', 'handoff', 'starts_on'];
const EVERY_HINT = 'day, week, "12 hours", "2 weeks" or a recurrence rule such as "FREQ=WEEKLY;BYDAY=MO,TH"';

/**
 * Reads the `shifts` object of a schedule. Every problem is listed; `field` is the key within the object, or empty
 * when the object itself is meant.
 */
export function parsePattern(value: unknown): { pattern: Pattern } | { problems: Detail[] } {
  const read = readRhythm(value);
  return 'problems' in read ? read : { pattern: read.pattern };
}

/** Understands a pattern as the database keeps it, which `parsePattern` has accepted before. */
export function storedPattern(value: unknown): { pattern: Pattern; rhythm: Rhythm } {
  const read = readRhythm(value);
  if ('rhythm' in read) return read;
  const problems = read.problems.map(({ field, message }) => `${field} ${message}`);
  throw new Error(`the stored shift pattern cannot be used: ${problems.join('; ')}`);
}

/** In words, for lists of changes. */
export function patternText(pattern: Pattern): string {
  const rule = 'every' in pattern ? `every ${pattern.every}` : pattern.rrule;
  const start = pattern.starts_on ? `, counted from ${pattern.starts_on}` : '';
  return `${rule}, hand-off ${pattern.handoff}${start}`;
}

type Read = { rhythm: Rhythm; pattern: Pattern } | { problems: Detail[] };

function readRhythm(value: unknown): Read {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      problems: [
        { field: '', message: 'must be an object such as { every: week, handoff: "Monday 09:00" }' },
      ],
    };
  const given = value as Record<string, unknown>;
  const problems: Detail[] = Object.keys(given)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({ field: key, message: `is not known here; the keys are ${KEYS.join(', ')}` }));
  const unit = readUnit(given, problems);
  const handoff = readHandoff(given.handoff, unit, problems);
  const anchor = readAnchor(given.starts_on, problems);
  if (problems.length > 0 || !unit || !handoff || !anchor) return { problems };
  const rhythm = rhythmFrom(unit, handoff, anchor);
  if (comesRound(rhythm)) return { rhythm, pattern: canonical(unit, handoff, given.starts_on) };
  return { problems: [{ field: 'rrule', message: 'never comes round; check its BYDAY and BYMONTHDAY' }] };
}

type Unit =
  | { kind: 'days' | 'weeks' | 'hours'; count: number }
  | { kind: 'recurrence'; recurrence: Recurrence };
type Handoff = { weekday: number | null; time: Temporal.PlainTime };

function readUnit(given: Record<string, unknown>, problems: Detail[]): Unit | null {
  const { every, rrule } = given;
  if (every !== undefined && rrule !== undefined) {
    problems.push({ field: 'rrule', message: 'stands beside every; keep one of the two' });
    return null;
  }
  if (rrule !== undefined) return readRecurrence('rrule', rrule, problems);
  if (typeof every === 'string' && /FREQ\s*=/i.test(every)) return readRecurrence('every', every, problems);
  const unit = typeof every === 'string' ? readEvery(every) : null;
  if (unit) return unit;
  const problem = every === undefined ? 'is missing' : `is ${JSON.stringify(every) ?? 'no text'}`;
  problems.push({ field: 'every', message: `${problem}; give ${EVERY_HINT}` });
  return null;
}

function readEvery(text: string): Unit | null {
  const match = /^(?:(\d{1,4})\s+)?(hour|day|week)s?$/i.exec(text.trim());
  if (!match) return null;
  const count = Number(match[1] ?? 1);
  const kind = `${match[2]?.toLowerCase()}s` as 'hours' | 'days' | 'weeks';
  const hours = count * { hours: 1, days: 24, weeks: 168 }[kind];
  // Shifts of more than a year are a typing mistake.
  return count >= 1 && hours <= 366 * 24 ? { kind, count } : null;
}

function readRecurrence(field: string, value: unknown, problems: Detail[]): Unit | null {
  if (typeof value !== 'string') {
    problems.push({ field, message: 'must be a text such as "FREQ=WEEKLY;BYDAY=MO,TH"' });
    return null;
  }
  const read = parseRecurrence(value);
  if ('recurrence' in read) return { kind: 'recurrence', recurrence: read.recurrence };
  for (const message of read.problems) problems.push({ field, message });
  return null;
}

function readHandoff(value: unknown, unit: Unit | null, problems: Detail[]): Handoff | null {
  const weekly = unit?.kind === 'weeks';
  const hint = weekly ? '"Monday 09:00"' : '"09:00"';
  const text = value === undefined ? defaultHandoff(unit) : value;
  const match = typeof text === 'string' ? /^(?:([a-z]+)\s+)?(\d{1,2}):(\d\d)$/i.exec(text.trim()) : null;
  const [hour, minute] = [Number(match?.[2]), Number(match?.[3])];
  const weekday = match?.[1] ? weekdayOf(match[1]) : null;
  if (!match || hour > 23 || minute > 59 || weekday === 0) {
    problems.push({
      field: 'handoff',
      message: `is ${JSON.stringify(text)}; give a local time such as ${hint}`,
    });
    return null;
  }
  if (unit && weekly !== (weekday !== null)) {
    const problem = weekly ? 'names no weekday' : 'names a weekday, which only shifts of whole weeks have';
    problems.push({ field: 'handoff', message: `${problem}; give ${hint}` });
    return null;
  }
  return { weekday, time: Temporal.PlainTime.from({ hour, minute }) };
}

function defaultHandoff(unit: Unit | null): string {
  if (unit?.kind === 'weeks') return 'Monday 09:00';
  return unit?.kind === 'hours' ? '00:00' : '09:00';
}

/** 1 for Monday to 7 for Sunday, 0 for no weekday at all. `Mon` and `monday` are good as well. */
function weekdayOf(text: string): number {
  const wanted = text.toLowerCase();
  return (
    WEEKDAYS.findIndex((name) => [name, name.slice(0, 3)].some((known) => known.toLowerCase() === wanted)) + 1
  );
}

function readAnchor(value: unknown, problems: Detail[]): Temporal.PlainDate | null {
  if (value === undefined) return DEFAULT_ANCHOR;
  try {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return Temporal.PlainDate.from(value);
  } catch {
    // An impossible date is answered like any other text.
  }
  problems.push({
    field: 'starts_on',
    message: `is ${JSON.stringify(value)}; give a date such as "2026-11-02"`,
  });
  return null;
}

function rhythmFrom(unit: Unit, handoff: Handoff, anchor: Temporal.PlainDate): Rhythm {
  const { time } = handoff;
  switch (unit.kind) {
    case 'recurrence':
      return { kind: 'recurrence', recurrence: unit.recurrence, time, anchor };
    case 'hours':
      // Whole days are days: 48 hours across a change of the clocks still hand over at the same local time.
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

function comesRound(rhythm: Rhythm): boolean {
  if (rhythm.kind !== 'recurrence') return true;
  const { anchor, recurrence } = rhythm;
  return recurrenceDates(recurrence, anchor, anchor, anchor.add({ years: 12 })).length > 2;
}

function canonical(unit: Unit, handoff: Handoff, startsOn: unknown): Pattern {
  const time = handoff.time.toString({ smallestUnit: 'minute' });
  const weekday = handoff.weekday === null ? '' : `${WEEKDAYS[handoff.weekday - 1]} `;
  const start = typeof startsOn === 'string' ? { starts_on: startsOn } : {};
  const rest = { handoff: `${weekday}${time}`, ...start };
  if (unit.kind === 'recurrence') return { rrule: recurrenceText(unit.recurrence), ...rest };
  return { every: unit.count === 1 ? unit.kind.slice(0, -1) : `${unit.count} ${unit.kind}`, ...rest };
}
