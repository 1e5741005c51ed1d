import type { FastifyInstance } from 'fastify';
import type { Tx } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantTextOrNull } from '../kit/instant.ts';
import { knownFields } from '../kit/known-fields.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { storedText, storedTextOrNull } from '../language/stored.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { audit } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { closeProblems } from '../problems/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import {
  HolidayCalendarChangeBody,
  type HolidayCalendarDetail,
  type HolidayCalendarShown,
  type HolidayDay,
  holidaysApi,
  type NewHolidayCalendarBody,
} from './api-contract.ts';
import { type HolidayPlace, listCountries, readPlace, regionAlone } from './country-holidays.ts';
import { calendarUrl } from './fetching.ts';
import type { FollowingServices } from './following.ts';
import {
  askToReplan,
  countHolidayCalendars,
  daysOfCalendar,
  deleteHolidayCalendar,
  findScheduleOfViewer,
  insertHolidayCalendar,
  type ListedHolidayCalendar,
  listHolidayCalendars,
  lockHolidayCalendar,
  updateHolidayCalendar,
} from './holiday-calendar-store.ts';
import {
  checkHolidays,
  type FoundDays,
  findDays,
  findDaysOfPlace,
  holidaySubject,
  saveFoundDays,
  unique,
} from './holiday-calendars.ts';
import { unreadable } from './unreadable.ts';

const MOST_CALENDARS = 10;
const NOBODY: TeamRelation = { member: false, manager: false };

/** Routes for lists of public holidays, of the organization and of single schedules. */
export function holidayRoutes(api: FastifyInstance, services: FollowingServices): void {
  const { db, clock } = services;

  route(api, holidaysApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { schedule = null } = request.query;
    const calendars = await listHolidayCalendars(db, viewer, await today(), { scheduleId: schedule });
    return { calendars: calendars.map((calendar) => present(viewer, calendar)) };
  });

  route(api, holidaysApi.find, async (request) => show(viewerOf(request), request.params.id));

  route(api, holidaysApi.countries, async () => ({ countries: await listCountries() }));

  route(api, holidaysApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const body = request.body;
    await mustManageSchedule(viewer, body.schedule ?? null);
    const found = await foundIn(body);
    if (!found) throw oneOfFour();
    const id = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      return create(tx, at, viewer, body, found);
    });
    reply.code(201);
    return show(viewer, id);
  });

  route(api, holidaysApi.change, async (request) => {
    const viewer = viewerOf(request);
    const { id } = await managed(viewer, request.params.id);
    const body = request.body;
    const found = await foundIn(body);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const name = body.name ? { name: body.name.trim() } : {};
      await updateHolidayCalendar(tx, at, id, { ...name, ...found?.from });
      if (found) await follow(tx, at, viewer, id, found);
      await audit(tx, at, viewer, 'holidays.change', id, {
        changed: Object.keys(knownFields(HolidayCalendarChangeBody, body)),
      });
    });
    return show(viewer, id);
  });

  route(api, holidaysApi.check, async (request) => {
    const viewer = viewerOf(request);
    const calendar = await managed(viewer, request.params.id);
    await checkHolidays(services, { ...calendar, etag: null });
    return show(viewer, calendar.id);
  });

  route(api, holidaysApi.remove, async (request) => {
    const viewer = viewerOf(request);
    const calendar = await managed(viewer, request.params.id);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await deleteHolidayCalendar(tx, calendar.id);
      await askToReplan(tx, at, calendar);
      await closeProblems(tx, clock, [holidaySubject(calendar.id)]);
      await audit(tx, at, viewer, 'holidays.delete', calendar.id, { name: calendar.name });
    });
    return { removed: true };
  });

  async function today(): Promise<Temporal.PlainDate> {
    return (await clock.now(db)).toZonedDateTimeISO('UTC').toPlainDate();
  }

  async function calendarOf(viewer: Viewer, id: string): Promise<ListedHolidayCalendar> {
    const [calendar] = await listHolidayCalendars(db, viewer, await today(), { id });
    if (!calendar) throw unknownCalendar();
    return calendar;
  }

  async function managed(viewer: Viewer, id: string): Promise<ListedHolidayCalendar> {
    const calendar = await calendarOf(viewer, id);
    if (!mayManageSchedules(viewer.role, calendar.relation)) throw notTheirs();
    return calendar;
  }

  async function show(viewer: Viewer, id: string): Promise<HolidayCalendarDetail> {
    return { ...present(viewer, await calendarOf(viewer, id)), days: await daysOfCalendar(db, id) };
  }

  /** The organization's lists may be managed only by admins and owners. */
  async function mustManageSchedule(viewer: Viewer, scheduleId: string | null): Promise<void> {
    const schedule = scheduleId === null ? null : await findScheduleOfViewer(db, viewer, scheduleId);
    if (scheduleId !== null && !schedule)
      throw new Fault('bad_request', [
        {
          field: 'schedule',
          message: t('is not a schedule of your organization; give its id, or leave it out'),
        },
      ]);
    if (!mayManageSchedules(viewer.role, schedule?.relation ?? NOBODY)) throw notTheirs();
  }

  /**
   * The days of the body's country, address, file or list, and what to follow; null if it has none of them.
   * @throws Fault `bad_request` if unreadable
   */
  async function foundIn(body: HolidayCalendarChangeBody): Promise<Found | null> {
    const given = [body.country, body.url, body.ics, body.days].filter((place) => place !== undefined);
    if (given.length > 1) throw oneOfFour();
    const place = await placeIn(body);
    const url = addressOf(body);
    const from = { url: url?.href ?? null, country: place?.country ?? null, region: place?.region ?? null };
    if (body.days) return { days: { days: readDays(body.days), etag: null }, from };
    if (given.length === 0) return null;
    const at = await clock.now(db);
    const days = await (place
      ? findDaysOfPlace(at, place)
      : findDays(services, at, url ? { url, etag: null } : { content: body.ics ?? '' }));
    if (days === 'unchanged' || !('error' in days)) return { days, from };
    if (!place) throw unreadable(url ? 'url' : 'ics', days.error);
    throw new Fault('bad_request', [
      { field: 'country', message: t('cannot be read: {error}', { error: storedText(days.error) }) },
    ]);
  }

  async function create(
    tx: Tx,
    at: Temporal.Instant,
    viewer: Viewer,
    body: NewHolidayCalendarBody,
    found: Found,
  ): Promise<string> {
    const { organizationId, userId } = viewer;
    const scheduleId = body.schedule ?? null;
    if ((await countHolidayCalendars(tx, organizationId, scheduleId)) >= MOST_CALENDARS)
      throw new Fault('bad_request', [
        {
          field: 'name',
          message: t('exceeds the limit of {most} lists of holidays; remove one first', {
            most: MOST_CALENDARS,
          }),
        },
      ]);
    const id = newId('holiday_calendar');
    await insertHolidayCalendar(tx, at, {
      ...{ id, organization_id: organizationId, schedule_id: scheduleId, created_by: userId },
      ...{ name: body.name.trim(), ...found.from },
    });
    await follow(tx, at, viewer, id, found);
    await audit(tx, at, viewer, 'holidays.create', id, { name: body.name, schedule: scheduleId });
    return id;
  }

  async function follow(
    tx: Tx,
    at: Temporal.Instant,
    viewer: Viewer,
    id: string,
    { days }: Found,
  ): Promise<void> {
    const calendar = await lockHolidayCalendar(tx, viewer.organizationId, id);
    if (calendar) await saveFoundDays(tx, clock, at, calendar, days);
  }
}

/** Days of a new or changed calendar, and what it follows from now on. */
type Found = { days: FoundDays; from: { url: string | null; country: string | null; region: string | null } };

async function placeIn({ country, region }: HolidayCalendarChangeBody): Promise<HolidayPlace | null> {
  if (country === undefined) {
    if (region !== undefined) throw new Fault('bad_request', [regionAlone(region)]);
    return null;
  }
  const read = readPlace(await listCountries(), { country, region });
  if ('problem' in read) throw new Fault('bad_request', [read.problem]);
  return read.place;
}

function present(viewer: Viewer, calendar: ListedHolidayCalendar): HolidayCalendarShown {
  const { id, name, country, region, url, dayCount, next, error, schedule_id, scheduleName, relation } =
    calendar;
  return {
    ...{ id, name, country, region, url, next },
    error: storedTextOrNull(error),
    schedule: schedule_id === null ? null : { id: schedule_id, name: scheduleName ?? '' },
    day_count: dayCount,
    checked_at: instantTextOrNull(calendar.checked_at),
    may_manage: mayManageSchedules(viewer.role, relation),
  };
}

function readDays(days: readonly HolidayDay[]): HolidayDay[] {
  const problems: Detail[] = days.flatMap(({ date }, index) =>
    isDate(date)
      ? []
      : [
          {
            field: `days[${index}].date`,
            message: t('is {date}; give a date such as "2026-12-25"', { date: JSON.stringify(date) }),
          },
        ],
  );
  if (problems.length > 0) throw new Fault('bad_request', problems);
  return unique(
    days.map(({ date, name }) => ({ date, name: name.replaceAll('\u0000', '').trim() || 'Holiday' })),
  );
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).year >= 1900;
  } catch {
    return false;
  }
}

function addressOf({ url }: { url?: string }): URL | null {
  if (url === undefined) return null;
  const address = calendarUrl(url);
  if (address) return address;
  const message = t('is {url}; give the http or https address of an iCalendar file', {
    url: JSON.stringify(url.slice(0, 100)),
  });
  throw new Fault('bad_request', [{ field: 'url', message }]);
}

function oneOfFour(): Fault {
  const message = t(
    'or one of ics, days and country is required; give only one: an address, the text of a file, a list of days, or the code of a country',
  );
  return new Fault('bad_request', [{ field: 'url', message }]);
}

function notTheirs(): Fault {
  const message = t(
    "are managed by the team's managers for a schedule, and by admins and owners for the organization; ask one of them",
  );
  return new Fault('forbidden', [{ field: 'holidays', message }]);
}

function unknownCalendar(): Fault {
  return new Fault('not_found', [
    {
      field: 'calendar',
      message: t('is not a list of holidays of your organization; see /api/holiday-calendars'),
    },
  ]);
}
