import type { Detail } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import { parseRecurrence, recurrenceDates } from './recurrence.ts';

/** One time of something that repeats. */
export type Occurrence = { startsAt: Temporal.Instant; endsAt: Temporal.Instant };

/** How a maintenance window or an absence repeats: on the dates of the rule, at the local times of its first occurrence. */
export type Repetition = {
  /** In canonical form, without an end. */
  recurrence: string;
  zone: string;
  first: Occurrence;
  /** The last occurrence begins before this. Null: it repeats until somebody ends it. */
  until: Temporal.Instant | null;
};

/** Days to look ahead: most rules repeat within the first time, and all that ever do within the second. */
const LOOK_AHEAD_DAYS = [40, 5 * 366];

/**
 * The occurrence that holds at `at`, otherwise the next one; null if there is none left. If the clocks go forward, an
 * occurrence is shortened, and one that falls completely into the missing hour is left out.
 */
export function occurrenceAt(repetition: Repetition, at: Temporal.Instant): Occurrence | null {
  for (const days of LOOK_AHEAD_DAYS) {
    const [found] = occurrencesWithin(repetition, at, days);
    if (found) return begins(repetition, found) ? found : null;
  }
  return null;
}

/** The occurrences that have not ended at `from` and begin before `to`, in order. */
export function occurrencesBetween(
  repetition: Repetition,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Occurrence[] {
  const start = later(from, repetition.first.startsAt);
  const days = Math.ceil(Math.max(0, start.until(to).total('hours')) / 24) + 1;
  return occurrencesWithin(repetition, from, days + lengthOf(repetition).days + 1).filter(
    (one) => begins(repetition, one) && isAfter(to, one.startsAt),
  );
}

/** Those that are not over at `at`, of so many days after the first day on which one that still holds may have begun. */
function occurrencesWithin(repetition: Repetition, at: Temporal.Instant, days: number): Occurrence[] {
  const { zone } = repetition;
  const parsed = parseRecurrence(repetition.recurrence);
  if ('problems' in parsed) throw new Error(`something repeats by the rule ${repetition.recurrence}`);
  const begin = localBegin(repetition);
  const length = lengthOf(repetition);
  const anchor = begin.toPlainDate();
  const reach = at
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: length.days + 1 });
  const from = Temporal.PlainDate.compare(anchor, reach) > 0 ? anchor : reach;
  return recurrenceDates(parsed.recurrence, anchor, from, from.add({ days }))
    .map((date) => {
      const start = date.toPlainDateTime(begin.toPlainTime());
      return {
        startsAt: start.toZonedDateTime(zone).toInstant(),
        endsAt: start.add(length).toZonedDateTime(zone).toInstant(),
      };
    })
    .filter(({ startsAt, endsAt }) => isAfter(endsAt, startsAt) && isAfter(endsAt, at));
}

function localBegin({ zone, first }: Repetition): Temporal.PlainDateTime {
  return first.startsAt.toZonedDateTimeISO(zone).toPlainDateTime();
}

/** By the local clock. */
function lengthOf(repetition: Repetition): Temporal.Duration {
  const end = repetition.first.endsAt.toZonedDateTimeISO(repetition.zone).toPlainDateTime();
  return localBegin(repetition).until(end, { largestUnit: 'days' });
}

/** Whether it begins before the repetition ends. */
function begins({ until }: Repetition, { startsAt }: Occurrence): boolean {
  return until === null || isAfter(until, startsAt);
}

/** The occurrence that holds at `at`, otherwise the next one, and those after it, at most `most`. */
export function occurrencesFrom(repetition: Repetition, at: Temporal.Instant, most: number): Occurrence[] {
  const found: Occurrence[] = [];
  let from = at;
  while (found.length < most) {
    const next = occurrenceAt(repetition, from);
    if (!next) break;
    found.push(next);
    from = next.endsAt;
  }
  return found;
}

/**
 * Reads a rule such as `FREQ=WEEKLY;BYDAY=SU;UNTIL=20270101T000000Z` for a window or an absence. `UNTIL` becomes the end of the
 * repetitions; the time of day and the length are those of the first occurrence.
 */
export function readRule(
  text: string,
  zone: string,
): { recurrence: string; until: Temporal.Instant | null } | { problems: Detail[] } {
  const parts = text.replace(/^RRULE:/i, '').split(';');
  const isUntil = (part: string) => /^\s*UNTIL\s*=/i.test(part);
  const rest = parts.filter((part) => !isUntil(part)).join(';');
  const written = parts.find(isUntil)?.split('=')[1]?.trim();
  const until = written === undefined ? null : untilOf(written, zone);
  const problems = [...(until === 'unreadable' ? [untilHint()] : []), ...unsuitable(rest)];
  const parsed = problems.length > 0 ? null : parseRecurrence(rest);
  if (parsed && 'problems' in parsed) problems.push(...parsed.problems);
  if (problems.length > 0 || until === 'unreadable')
    return { problems: problems.map((message) => ({ field: 'rrule', message })) };
  return { recurrence: rest.toUpperCase(), until };
}

function untilHint(): string {
  return t(
    'has an UNTIL that is not a date; give a date such as 20271231, or a time such as 20271231T000000Z',
  );
}

/** Parts that have another place here than in RFC 5545. */
function unsuitable(rule: string): string[] {
  if (/(^|;)\s*COUNT\s*=/i.test(rule)) return [t('has COUNT, which is not supported; give UNTIL instead')];
  if (/(^|;)\s*BY(HOUR|MINUTE|SECOND)\s*=/i.test(rule))
    return [
      t('has a time of day; leave it out, because every occurrence begins at the same time as the first'),
    ];
  return [];
}

/** A date alone means the end of that day in the zone. */
function untilOf(text: string, zone: string): Temporal.Instant | 'unreadable' {
  const instant = parseInstant(text);
  if (instant) return instant;
  if (!/^\d{8}$|^\d{4}-\d\d-\d\d$/.test(text)) return 'unreadable';
  try {
    return Temporal.PlainDate.from(text).add({ days: 1 }).toZonedDateTime(zone).toInstant();
  } catch {
    return 'unreadable';
  }
}

function later(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return isAfter(a, b) ? a : b;
}

function isAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) > 0;
}
