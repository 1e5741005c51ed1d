import { calendarUrl } from '../calendars/fetching.ts';
import {
  type CalendarKind,
  type CalendarPlace,
  checkCalendar,
  type FollowingServices,
  type FoundEvents,
  findEvents,
  followCalendars,
} from '../calendars/following.ts';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { stored } from '../language/contract.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import { seriesOf, timesOf } from './repeats.ts';
import { wantedRecords } from './source-events.ts';
import {
  claimDueSource,
  deleteSource,
  type Followed,
  followRecords,
  lockSource,
  noteChecked,
  readingTermsOf,
  type SourceRow,
} from './sources-store.ts';

export type SourceServices = FollowingServices & { sealing: Sealing };

/** The most absences read from one calendar; more than anybody plans ahead. */
const MOST_RECORDS = 2_000;
const LEAST_WEEKS = 26;
const MARGIN_WEEKS = 2;
const USUALLY = { minutes: 15 };
const FILES = { hours: 12 };
/** A repeating absence is entered for a year at once. */
const REPEATED_WEEKS = 53;
/** An unchanged calendar is read again after this time, because recurring events then reach further ahead. */
const STALE_HOURS = 24;

export function sourceSubject(id: string): string {
  return `availability-source:${id}`;
}

/** Reads the events of the time that can be planned. May take seconds, so call it outside a transaction. */
export async function findAbsences(
  { db, calendars }: Pick<SourceServices, 'db' | 'calendars'>,
  at: Temporal.Instant,
  userId: string,
  place: CalendarPlace,
): Promise<FoundEvents> {
  const { timeZone, weeksAhead } = await readingTermsOf(db, userId);
  const weeks = Math.max(LEAST_WEEKS, weeksAhead + MARGIN_WEEKS);
  return findEvents(calendars, place, {
    from: at.epochMilliseconds,
    to: at.add({ hours: weeks * 7 * 24 }).epochMilliseconds,
    timeZone,
    // Read more events than records, because not all of them are absences.
    most: MOST_RECORDS * 10,
  });
}

/** The times of a repeating absence that can be planned. */
export async function repeatedAbsences(
  db: Handle,
  at: Temporal.Instant,
  source: SourceRow,
): Promise<FoundEvents> {
  const series = seriesOf(source);
  if (!series) throw new Error(`the source ${source.id} does not repeat`);
  const { weeksAhead } = await readingTermsOf(db, source.user_id);
  const weeks = Math.max(REPEATED_WEEKS, weeksAhead + MARGIN_WEEKS);
  const occurrences = timesOf(series, { from: at, to: at.add({ hours: weeks * 7 * 24 }) });
  return { occurrences, truncated: false, etag: null };
}

/** Saves the result. If the calendar could not be read, keeps the records and reports a problem. */
export async function saveFound(
  tx: Tx,
  clock: Clock,
  at: Temporal.Instant,
  source: SourceRow,
  found: FoundEvents,
): Promise<Followed | { error: string } | null> {
  const usual = at.add(source.content === null ? USUALLY : FILES);
  if (found === 'unchanged') {
    await noteChecked(tx, at, source.id, { error: null, nextCheckAt: usual });
    await closeProblems(tx, clock, [sourceSubject(source.id)]);
    return null;
  }
  if ('error' in found) {
    await noteChecked(tx, at, source.id, {
      error: found.error,
      nextCheckAt: at.add(patience(source.failures)),
    });
    await noteProblem(tx, clock, problemOf(source, found.error));
    return found;
  }
  // The records of a repeating absence have its label, which may be empty.
  const wanted = wantedRecords(found.occurrences, { ...source, name: source.label ?? source.name });
  const followed = await followRecords(tx, at, source, wanted.slice(0, MOST_RECORDS));
  if (wanted.length === 0 && isOver(source, at)) {
    await deleteSource(tx, source.id);
    return followed;
  }
  await noteChecked(tx, at, source.id, {
    error: null,
    nextCheckAt: usual,
    etag: found.etag,
    truncated: found.truncated || wanted.length > MOST_RECORDS,
  });
  await closeProblems(tx, clock, [sourceSubject(source.id)]);
  return followed;
}

/** A repeating absence without future times; its past records stay. */
function isOver({ recurrence, repeats_until: until }: SourceRow, at: Temporal.Instant): boolean {
  return recurrence !== null && until !== null && Temporal.Instant.compare(until, at) <= 0;
}

/** Time until the next attempt: doubles with each failure, up to four hours. */
function patience(failures: number): Temporal.DurationLike {
  return { minutes: 15 * 2 ** Math.min(failures, 4) };
}

/** Everybody can read problems, so a problem of a private calendar names neither the calendar nor its host. */
export function problemOf(source: SourceRow, error: string) {
  const calendar = source.private
    ? stored('A private calendar with absences cannot be read. Its owner sees the reason under Availability.')
    : stored('The calendar {name} with absences cannot be read: {error}.', {
        name: source.name,
        error,
      });
  return {
    organizationId: source.organization_id,
    subject: sourceSubject(source.id),
    code: 'calendar',
    message: calendar,
    fix: stored(
      'Correct its address under Availability, or remove it there. Absences that were read earlier stay.',
    ),
    count: 1,
  };
}

/**
 * Where the calendar of a source is. Omits `etag` after an error or when stale, so that it is read even if unchanged.
 */
export function placeOf(sealing: Sealing, source: SourceRow, at: Temporal.Instant): CalendarPlace {
  if (source.content !== null) return { content: source.content };
  const url = source.url_sealed && calendarUrl(sealing.open(source.url_sealed));
  if (!url) throw new Error(`the source ${source.id} has neither a file nor an address`);
  const age = source.read_at?.until(at).total('hours') ?? Number.POSITIVE_INFINITY;
  const isFresh = source.error === null && age < STALE_HOURS;
  return { url, etag: isFresh ? source.etag : null };
}

function absenceCalendars(
  services: SourceServices,
): CalendarKind<SourceRow, FoundEvents, Followed | { error: string } | null> {
  const { clock, sealing } = services;
  return {
    name: 'a calendar of absences',
    claimDue: claimDueSource,
    lock: lockSource,
    find: (source, at) =>
      source.recurrence === null
        ? findAbsences(services, at, source.user_id, placeOf(sealing, source, at))
        : repeatedAbsences(services.db, at, source),
    save: (tx, at, source, found) => saveFound(tx, clock, at, source, found),
  };
}

/** Reads a source now; null if it was removed or changed in the meantime. */
export function checkSource(
  services: SourceServices,
  source: SourceRow,
): Promise<Followed | { error: string } | null> {
  return checkCalendar(services, absenceCalendars(services), source);
}

export function followSources(services: SourceServices, log: Log): Promise<boolean> {
  return followCalendars(services, absenceCalendars(services), log);
}
