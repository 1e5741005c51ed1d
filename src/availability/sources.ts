import { calendarUrl, fetchCalendar } from '../calendars/fetching.ts';
import type { Occurrence } from '../calendars/occurrences.ts';
import type { ReadCalendar } from '../calendars/reading.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import type { FetchDocument } from '../kit/fetch-text.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import { wantedRecords } from './source-events.ts';
import { type Followed, followRecords } from './source-records-store.ts';
import { claimDueSource, lockSource, noteChecked, readingTermsOf, type SourceRow } from './sources-store.ts';

export type SourceServices = {
  db: Database;
  clock: Clock;
  sealing: Sealing;
  /** How calendars are fetched and read. */
  calendars: { fetchDocument: FetchDocument; readCalendar: ReadCalendar };
};

/** More absences than anybody plans ahead. */
const MOST_RECORDS = 2_000;
const LEAST_WEEKS = 26;
const MARGIN_WEEKS = 2;
const USUALLY = { minutes: 15 };
const FILES = { hours: 12 };
const LEASE = { minutes: 2 };
const ROUND = 20;
/** An unchanged calendar is read again after this: what repeats reaches further ahead by then. */
const STALE_HOURS = 24;

export function sourceSubject(id: string): string {
  return `availability-source:${id}`;
}

/** What was found at a calendar's address, or in its file. */
export type Found =
  | { occurrences: Occurrence[]; truncated: boolean; etag: string | null }
  | 'unchanged'
  | { error: string };

/** Where a calendar is: an address, or a file that was uploaded. */
export type Place = { url: URL; etag: string | null } | { content: string };

/** Reads the events of the time that can be planned. No transaction should be open: it may take seconds. */
export async function findEvents(
  { db, calendars }: Pick<SourceServices, 'db' | 'calendars'>,
  at: Temporal.Instant,
  userId: string,
  place: Place,
): Promise<Found> {
  const { timeZone, weeksAhead } = await readingTermsOf(db, userId);
  const got = 'url' in place ? await fetchCalendar(calendars.fetchDocument, place.url, place.etag) : null;
  if (got === 'unchanged' || (got && 'error' in got)) return got;
  const weeks = Math.max(LEAST_WEEKS, weeksAhead + MARGIN_WEEKS);
  const read = await calendars.readCalendar({
    text: 'content' in place ? place.content : (got?.text ?? ''),
    from: at.epochMilliseconds,
    to: at.add({ hours: weeks * 7 * 24 }).epochMilliseconds,
    timeZone,
    // Which of them count is not known here.
    most: MOST_RECORDS * 10,
  });
  return 'error' in read ? read : { ...read, etag: got?.etag ?? null };
}

/** Writes down what was found. What could not be read leaves the records as they are and is listed as a problem. */
export async function saveFound(
  tx: Tx,
  clock: Clock,
  at: Temporal.Instant,
  source: SourceRow,
  found: Found,
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
  const wanted = wantedRecords(found.occurrences, source);
  const followed = await followRecords(tx, at, source, wanted.slice(0, MOST_RECORDS));
  await noteChecked(tx, at, source.id, {
    error: null,
    nextCheckAt: usual,
    etag: found.etag,
    truncated: found.truncated || wanted.length > MOST_RECORDS,
  });
  await closeProblems(tx, clock, [sourceSubject(source.id)]);
  return followed;
}

/** The more often it failed the longer, up to four hours. */
function patience(failures: number): Temporal.DurationLike {
  return { minutes: 15 * 2 ** Math.min(failures, 4) };
}

function problemOf(source: SourceRow, error: string) {
  return {
    organizationId: source.organization_id,
    subject: sourceSubject(source.id),
    code: 'calendar',
    message: `The calendar ${source.name}, from which absences come, cannot be read: ${error}.`,
    fix: 'Correct its address under Availability, or remove it there. The absences that it gave before stay.',
    count: 1,
  };
}

/** Where the calendar of a stored source is; without `etag` it is read whether it has changed or not. */
export function placeOf(sealing: Sealing, source: SourceRow, at: Temporal.Instant): Place {
  if (source.content !== null) return { content: source.content };
  const url = source.url_sealed && calendarUrl(sealing.open(source.url_sealed));
  if (!url) throw new Error(`the source ${source.id} has neither a file nor an address`);
  const age = source.read_at?.until(at).total('hours') ?? Number.POSITIVE_INFINITY;
  const isFresh = source.error === null && age < STALE_HOURS;
  return { url, etag: isFresh ? source.etag : null };
}

/** Looks at a stored source now; null when it is gone or was changed meanwhile. */
export async function checkSource(
  services: SourceServices,
  source: SourceRow,
): Promise<Followed | { error: string } | null> {
  const { db, clock, sealing } = services;
  const at = await clock.now(db);
  const found = await findEvents(services, at, source.user_id, placeOf(sealing, source, at));
  return db.transaction().execute(async (tx) => {
    const current = await lockSource(tx, source.organization_id, source.id);
    if (!current?.updated_at.equals(source.updated_at)) return null;
    return saveFound(tx, clock, await clock.now(tx), current, found);
  });
}

/** The duty: looks at every source that is due. Answers whether there may be more. */
export async function followSources(services: SourceServices, log: Log): Promise<boolean> {
  const { db, clock } = services;
  for (let done = 0; done < ROUND; done++) {
    const at = await clock.now(db);
    const source = await claimDueSource(db, at, at.add(LEASE));
    if (!source) return false;
    try {
      const outcome = await checkSource(services, source);
      if (outcome && 'error' in outcome)
        log.info({ sourceId: source.id, error: outcome.error }, 'a calendar of absences could not be read');
    } catch (error) {
      log.error({ err: error, sourceId: source.id }, 'a calendar of absences could not be followed');
    }
  }
  return true;
}
