import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { stored } from '../language/contract.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import type { HolidayDay } from './api-contract.ts';
import { findCountryDays, type HolidayPlace } from './country-holidays.ts';
import { calendarUrl } from './fetching.ts';
import {
  type CalendarKind,
  type CalendarPlace,
  checkCalendar,
  type FollowingServices,
  findEvents,
  followCalendars,
} from './following.ts';
import {
  askToReplan,
  claimDueHolidayCalendar,
  type HolidayCalendarRow,
  lockHolidayCalendar,
  noteHolidaysChecked,
  saveDays,
} from './holiday-calendar-store.ts';

/** The time around now whose holidays are read: they are known years ahead, and old ones have no use. */
const REACH = { back: { days: 400 }, ahead: { days: 1_200 } };
const MOST_DAYS = 2_000;
const LONGEST_DAYS = 31;
const MAX_NAME = 200;
const USUALLY = { hours: 24 };

export type FoundDays = { days: HolidayDay[]; etag: string | null } | 'unchanged' | { error: string };

export function holidaySubject(id: string): string {
  return `holiday-calendar:${id}`;
}

/** The days of all-day events in an iCalendar file or at its address. */
export async function findDays(
  { calendars }: Pick<FollowingServices, 'calendars'>,
  at: Temporal.Instant,
  place: CalendarPlace,
): Promise<FoundDays> {
  const hours = (days: number) => ({ hours: days * 24 });
  const read = await findEvents(calendars, place, {
    from: at.subtract(hours(REACH.back.days)).epochMilliseconds,
    to: at.add(hours(REACH.ahead.days)).epochMilliseconds,
    timeZone: 'UTC',
    most: MOST_DAYS,
  });
  if (read === 'unchanged' || 'error' in read) return read;
  const days = read.occurrences.flatMap(({ title, days: span }) => (span ? eachDay(span, title) : []));
  if (days.length === 0)
    return { error: stored('it has no all-day events between last year and three years ahead') };
  return { days: unique(days), etag: read.etag };
}

/** The public holidays of a country or region in all years that overlap the time. */
export async function findDaysOfPlace(at: Temporal.Instant, place: HolidayPlace): Promise<FoundDays> {
  const year = (instant: Temporal.Instant) => instant.toZonedDateTimeISO('UTC').year;
  const days = await findCountryDays(place, {
    first: year(at.subtract({ hours: REACH.back.days * 24 })),
    last: year(at.add({ hours: REACH.ahead.days * 24 })),
  });
  if ('error' in days) return days;
  if (days.length === 0) return { error: stored('no public holidays of this country or region are known') };
  return { days: unique(days), etag: null };
}

/** The place whose holidays a calendar follows; null if it follows an address, or nothing. */
function placeOf({ country, region }: HolidayCalendarRow): HolidayPlace | null {
  return country === null ? null : { country, region };
}

function eachDay({ first, last }: { first: string; last: string }, title: string): HolidayDay[] {
  const start = Temporal.PlainDate.from(first);
  const count = Math.min(LONGEST_DAYS, start.until(last).days + 1);
  const name = [...title.replaceAll('\u0000', '')].slice(0, MAX_NAME).join('') || 'Holiday';
  return Array.from({ length: count }, (_, index) => ({ date: start.add({ days: index }).toString(), name }));
}

/** One entry for each date; the first name wins. */
export function unique(days: readonly HolidayDay[]): HolidayDay[] {
  const byDate = new Map<string, HolidayDay>();
  for (const day of days) if (!byDate.has(day.date)) byDate.set(day.date, day);
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(0, MOST_DAYS);
}

/** Saves the result. If the list could not be read, keeps its days and reports a problem. */
export async function saveFoundDays(
  tx: Tx,
  clock: Clock,
  at: Temporal.Instant,
  calendar: HolidayCalendarRow,
  found: FoundDays,
): Promise<void> {
  const follows = calendar.url !== null || calendar.country !== null;
  const nextCheckAt = follows ? at.add(USUALLY) : null;
  if (found !== 'unchanged' && 'error' in found) {
    const patience = { hours: Math.min(24, 2 ** calendar.failures) };
    await noteHolidaysChecked(tx, at, calendar.id, { error: found.error, nextCheckAt: at.add(patience) });
    await noteProblem(tx, clock, {
      ...{ organizationId: calendar.organization_id, subject: holidaySubject(calendar.id), code: 'calendar' },
      message: stored('The list of holidays {name} cannot be read: {error}.', {
        ...{ name: calendar.name, error: found.error },
      }),
      fix: fixOf(calendar),
      count: 1,
    });
    return;
  }
  if (found !== 'unchanged') {
    // Past days that an address or country no longer lists may still have been holidays, so keep them.
    const since = follows ? at.toZonedDateTimeISO('UTC').toPlainDate() : null;
    if (await saveDays(tx, calendar.id, found.days, since)) await askToReplan(tx, at, calendar);
  }
  const etag = found === 'unchanged' ? {} : { etag: found.etag };
  await noteHolidaysChecked(tx, at, calendar.id, { error: null, nextCheckAt, ...etag });
  await closeProblems(tx, clock, [holidaySubject(calendar.id)]);
}

function fixOf({ country, schedule_id }: HolidayCalendarRow): string {
  if (country === null)
    return schedule_id === null
      ? stored('Correct its address in Settings, or remove it there. Days that were read earlier stay.')
      : stored(
          "Correct its address in the schedule's settings, or remove it there. Days that were read earlier stay.",
        );
  return schedule_id === null
    ? stored(
        'Wait until tomorrow, or remove it in Settings and choose its country again. Days that were read earlier stay.',
      )
    : stored(
        "Wait until tomorrow, or remove it in the schedule's settings and choose its country again. Days that were read earlier stay.",
      );
}

function holidayLists(services: FollowingServices): CalendarKind<HolidayCalendarRow, FoundDays, void> {
  return {
    name: 'a list of holidays',
    claimDue: claimDueHolidayCalendar,
    lock: lockHolidayCalendar,
    async find(calendar, at) {
      const { url: text, etag } = calendar;
      const place = placeOf(calendar);
      if (place) return findDaysOfPlace(at, place);
      const url = text === null ? null : calendarUrl(text);
      return url && findDays(services, at, { url, etag });
    },
    save: (tx, at, calendar, found) => saveFoundDays(tx, services.clock, at, calendar, found),
  };
}

/** Reads a stored list from its address, or computes the days of its country, now. */
export async function checkHolidays(
  services: FollowingServices,
  calendar: HolidayCalendarRow,
): Promise<void> {
  await checkCalendar(services, holidayLists(services), calendar);
}

export function followHolidays(services: FollowingServices, log: Log): Promise<boolean> {
  return followCalendars(services, holidayLists(services), log);
}
