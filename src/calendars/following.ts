import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { FetchDocument } from '../kit/fetch-text.ts';
import type { Log } from '../kit/log.ts';
import { fetchCalendar } from './fetching.ts';
import type { CalendarQuestion, Occurrence } from './occurrences.ts';
import type { ReadCalendar } from './reading.ts';

export type FollowingServices = {
  db: Database;
  clock: Clock;
  calendars: { fetchDocument: FetchDocument; readCalendar: ReadCalendar };
};

/** A calendar at an address or in an uploaded file. With an `etag`, it is read only if it has changed. */
export type CalendarPlace = { url: URL; etag: string | null } | { content: string };

export type FoundEvents =
  | { occurrences: Occurrence[]; truncated: boolean; etag: string | null }
  | 'unchanged'
  | { error: string };

/** Fetches and reads a calendar. May take seconds, so call it outside a transaction. */
export async function findEvents(
  { fetchDocument, readCalendar }: FollowingServices['calendars'],
  place: CalendarPlace,
  terms: Omit<CalendarQuestion, 'text'>,
): Promise<FoundEvents> {
  if ('content' in place) return readEvents(readCalendar, { ...terms, text: place.content }, null);
  const fetched = await fetchCalendar(fetchDocument, place.url, place.etag);
  if (fetched === 'unchanged' || 'error' in fetched) return fetched;
  return readEvents(readCalendar, { ...terms, text: fetched.text }, fetched.etag);
}

async function readEvents(
  readCalendar: ReadCalendar,
  question: CalendarQuestion,
  etag: string | null,
): Promise<FoundEvents> {
  const read = await readCalendar(question);
  return 'error' in read ? read : { ...read, etag };
}

type Row = { id: string; organization_id: string; updated_at: Temporal.Instant };

/** A kind of calendar that is read periodically, such as calendars of absences. */
export type CalendarKind<R extends Row, Found, Outcome> = {
  /** The name in log messages. */
  name: string;
  /** Leases the calendar that has been due longest until `lease`; null if none is due. */
  claimDue(db: Handle, at: Temporal.Instant, lease: Temporal.Instant): Promise<R | null>;
  lock(tx: Tx, organizationId: string, id: string): Promise<R | null>;
  /** Null if the calendar has nothing to read. */
  find(row: R, at: Temporal.Instant): Promise<Found | null>;
  save(tx: Tx, at: Temporal.Instant, row: R, found: Found): Promise<Outcome>;
};

const LEASE = { minutes: 2 };
const ROUND = 20;

/** Reads a stored calendar now; null if it was removed or changed in the meantime. */
export async function checkCalendar<R extends Row, Found, Outcome>(
  { db, clock }: Pick<FollowingServices, 'db' | 'clock'>,
  { find, lock, save }: CalendarKind<R, Found, Outcome>,
  row: R,
): Promise<Outcome | null> {
  const found = await find(row, await clock.now(db));
  if (found === null) return null;
  return db.transaction().execute(async (tx) => {
    const current = await lock(tx, row.organization_id, row.id);
    if (!current?.updated_at.equals(row.updated_at)) return null;
    return save(tx, await clock.now(tx), current, found);
  });
}

/** The duty: reads the calendars that are due, at most `ROUND` of them. Returns whether there may be more. */
export async function followCalendars<R extends Row, Found, Outcome>(
  services: Pick<FollowingServices, 'db' | 'clock'>,
  kind: CalendarKind<R, Found, Outcome>,
  log: Log,
): Promise<boolean> {
  const { db, clock } = services;
  for (let done = 0; done < ROUND; done++) {
    const at = await clock.now(db);
    const row = await kind.claimDue(db, at, at.add(LEASE));
    if (!row) return false;
    try {
      await checkCalendar(services, kind, row);
    } catch (error) {
      log.error({ err: error, calendarId: row.id }, `could not read ${kind.name}`);
    }
  }
  return true;
}
