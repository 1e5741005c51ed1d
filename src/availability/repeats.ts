import type { Occurrence } from '../calendars/occurrences.ts';
import { occurrencesBetween, type Repetition, readRule } from '../calendars/repetition.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import type { AvailabilityType } from './contract.ts';
import type { SeriesValues, SourceRow } from './sources-store.ts';

/** An absence that repeats. `label` is the name of its records; `skipped`: the starts of single times that were removed. */
export type Series = { repetition: Repetition; label: string; skipped: readonly string[] };

/** A person's input about an absence that may repeat. */
export type SaidTimes = {
  type: AvailabilityType;
  first: { startsAt: Temporal.Instant; endsAt: Temporal.Instant };
  /** RFC 5545, may have UNTIL; null: once. */
  rrule: string | null;
  zone: string | null;
  until: Temporal.Instant | null;
  /** The end if neither `until` nor the rule has one. */
  kept: Temporal.Instant | null;
};

/** A longer absence is entered as a single one. */
const LONGEST_DAYS = 31;

/**
 * How an absence repeats; null if it does not.
 * @throws Fault `bad_request` with every invalid field
 */
export function readRepetition({ type, first, rrule, zone, until, kept }: SaidTimes): Repetition | null {
  const problems: Detail[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  if (rrule === null) {
    if (zone !== null) add('zone', t('has no effect without rrule; leave it out'));
    if (until !== null) add('repeats_until', t('has no effect without rrule; leave it out'));
  } else {
    if (zone === null)
      add('zone', t('is missing; give the time zone in which it repeats, such as Europe/Berlin'));
    if (type === 'requested')
      add('rrule', t('is given with the type requested, which does not repeat; enter single times'));
    if (first.startsAt.until(first.endsAt).total('hours') > LONGEST_DAYS * 24)
      add(
        'ends_at',
        t('is more than {most} days after starts_at, too long to repeat; leave rrule out', {
          most: LONGEST_DAYS,
        }),
      );
  }
  const rule = rrule === null ? null : readRule(rrule, zone ?? 'UTC');
  if (rule && 'problems' in rule) problems.push(...rule.problems);
  const end = until ?? (rule && 'until' in rule ? rule.until : null) ?? kept;
  if (rrule !== null && end && Temporal.Instant.compare(end, first.startsAt) <= 0)
    add(
      'repeats_until',
      t('is not after starts_at, {startsAt}; give a later time', { startsAt: instantText(first.startsAt) }),
    );
  if (problems.length > 0 || (rule && 'problems' in rule)) throw new Fault('bad_request', problems);
  return rule && zone !== null ? { recurrence: rule.recurrence, zone, first, until: end } : null;
}

/** The repeating absence of a row; null if the row is a calendar. */
export function seriesOf(row: SourceRow): Series | null {
  const { recurrence, zone, first_starts_at: startsAt, first_ends_at: endsAt, skipped } = row;
  if (recurrence === null || zone === null || startsAt === null || endsAt === null) return null;
  const repetition = { recurrence, zone, first: { startsAt, endsAt }, until: row.repeats_until };
  return { repetition, label: row.label ?? '', skipped };
}

/** The columns of a repeating absence. */
export function storedSeries(series: Series): SeriesValues & { name: string; content: string } {
  const { repetition, label } = series;
  return {
    name: [...label].slice(0, 200).join('') || 'Away',
    content: calendarText(series),
    recurrence: repetition.recurrence,
    zone: repetition.zone,
    first_starts_at: repetition.first.startsAt,
    first_ends_at: repetition.first.endsAt,
    repeats_until: repetition.until,
    label,
    skipped: [...series.skipped],
  };
}

/** The times of a repeating absence that have not ended at `from` and begin before `to`. */
export function timesOf(
  { repetition, label, skipped }: Series,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Occurrence[] {
  const left = new Set(skipped);
  return occurrencesBetween(repetition, from, to)
    .filter(({ startsAt }) => !left.has(startsAt.toString()))
    .map(({ startsAt, endsAt }) => ({
      // The key that `calendarText` gives the same time when an older release reads it.
      key: `${UID} ${new Date(startsAt.epochMilliseconds).toISOString()}`,
      title: label,
      ...{ from: startsAt.epochMilliseconds, to: endsAt.epochMilliseconds },
      ...{ days: null, isFree: false, isOutOfOffice: true },
    }));
}

const UID = 'repeats';

/** The same as iCalendar text (RFC 5545), for nodes of releases that know only calendars. */
function calendarText({ repetition, label, skipped }: Series): string {
  const { recurrence, zone, first, until } = repetition;
  const local = (at: Temporal.Instant) => `TZID=${zone}:${wall(at.toZonedDateTimeISO(zone))}`;
  const end = until ? `;UNTIL=${wall(until.subtract({ seconds: 1 }).toZonedDateTimeISO('UTC'))}Z` : '';
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tocsin//Absences//EN', 'BEGIN:VEVENT', `UID:${UID}`],
    ...[`SUMMARY:${escaped(label)}`, `DTSTART;${local(first.startsAt)}`, `DTEND;${local(first.endsAt)}`],
    `RRULE:${recurrence}${end}`,
    ...skipped.map((start) => `EXDATE;${local(Temporal.Instant.from(start))}`),
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');
}

/** `20261124T180000` */
function wall(time: Temporal.ZonedDateTime): string {
  return time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\s+/g, ' ');
}
