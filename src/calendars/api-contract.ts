import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';

/**
 * Requests and answers about calendars: feeds to subscribe to, and public holidays. Times are ISO 8601 in UTC, dates
 * are local days such as `2026-12-25`.
 */

/** The path of a feed, which needs no session: the token is the secret. */
export function calendarPath(token: string): string {
  return `/calendar/${token}.ics`;
}

export const FEED_KINDS = ['person', 'team', 'schedule'] as const;
export const FeedKind = Type.Enum(FEED_KINDS, { type: 'string' });
export type FeedKind = Static<typeof FeedKind>;

export const NewFeedBody = Type.Object({
  kind: Type.Enum(FEED_KINDS, { type: 'string' }),
  /** With `team`: the team's id or slug; with `schedule`: the schedule's id. A person's feed is the viewer's own. */
  team: Type.Optional(Type.String({ minLength: 1, maxLength: 200, format: 'text' })),
  schedule: Type.Optional(Type.String({ minLength: 1, maxLength: 200, format: 'text' })),
});
export type NewFeedBody = Static<typeof NewFeedBody>;

/** A feed of the viewer. */
export const FeedShown = Type.Object({
  id: Type.String(),
  kind: FeedKind,
  team: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
    }),
    Type.Null(),
  ]),
  schedule: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
    }),
    Type.Null(),
  ]),
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'The address, `https://…/calendar/<token>.ics`; null until the viewer re-authenticates.',
  }),
  created_at: Type.String(TIME),
  rotated_at: Type.Union([Type.String(TIME), Type.Null()]),
  last_used_at: Type.Union([Type.String(TIME), Type.Null()]),
});
export type FeedShown = Static<typeof FeedShown>;

const holidayUrl = Type.String({ maxLength: 2_048, description: 'The address of an iCalendar file.' });
const holidayCountry = Type.String({
  maxLength: 100,
  description: 'The code of a country, such as DE. `GET /api/holiday-countries` lists the codes.',
});
const holidayRegion = Type.String({
  maxLength: 100,
  description:
    'The code of a region of the country, such as BY. Without it, the holidays that all regions share are used.',
});
const holidayName = Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE });
const holidayDay = Type.Object({
  date: Type.String({ maxLength: 20 }),
  name: Type.String({ maxLength: 200, ...ONE_LINE, format: 'optional-text' }),
});

/**
 * Exactly one of `country` (computed every day), `url` (polled), `ics` (the text of a file) and `days` (a list that was
 * typed in). Without `schedule` it belongs to the organization; only admins and owners may create those.
 */
export const NewHolidayCalendarBody = Type.Object({
  name: holidayName,
  schedule: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, format: 'text', description: 'The ID of the schedule.' }),
  ),
  country: Type.Optional(holidayCountry),
  region: Type.Optional(holidayRegion),
  url: Type.Optional(holidayUrl),
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
  days: Type.Optional(Type.Array(holidayDay, { maxItems: 2_000 })),
});
export type NewHolidayCalendarBody = Static<typeof NewHolidayCalendarBody>;

/** Absent fields do not change. */
export const HolidayCalendarChangeBody = Type.Object({
  name: Type.Optional(holidayName),
  country: Type.Optional(holidayCountry),
  region: Type.Optional(holidayRegion),
  url: Type.Optional(holidayUrl),
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
  days: Type.Optional(Type.Array(holidayDay, { maxItems: 2_000 })),
});
export type HolidayCalendarChangeBody = Static<typeof HolidayCalendarChangeBody>;

export const HolidayDay = Type.Object({
  date: Type.String(),
  name: Type.String(),
});
export type HolidayDay = Static<typeof HolidayDay>;

export const HolidayCalendarShown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  schedule: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
    }),
    Type.Null(),
  ]),
  country: Type.Union([Type.String(), Type.Null()], {
    description: 'The code of the country that it follows.',
  }),
  region: Type.Union([Type.String(), Type.Null()]),
  url: Type.Union([Type.String(), Type.Null()]),
  day_count: Type.Integer(),
  next: Type.Union([HolidayDay, Type.Null()], { description: 'The next holiday from today on.' }),
  checked_at: Type.Union([Type.String(TIME), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why its days could not be read last time, in which case earlier days stay; null if they were read.',
  }),
  may_manage: Type.Boolean(),
});
export type HolidayCalendarShown = Static<typeof HolidayCalendarShown>;
export const HolidayCalendarDetail = Type.Object({
  ...HolidayCalendarShown.properties,
  days: Type.Array(HolidayDay),
});
export type HolidayCalendarDetail = Static<typeof HolidayCalendarDetail>;

/** A country whose public holidays are known. */
export const HolidayCountry = Type.Object({
  code: Type.String(),
  name: Type.String(),
  regions: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
    description: 'The regions with holidays of their own, and their parts.',
  }),
});
export type HolidayCountry = Static<typeof HolidayCountry>;

export const UncoveredBecause = Type.Enum(['hours', 'holiday', 'not_begun'], { type: 'string' });
export type UncoveredBecause = Static<typeof UncoveredBecause>;

/**
 * The times without anybody on call by design (outside the hours, holidays, before the start date), by stage. The
 * backstop answers then, and they are not gaps.
 */
export const UncoveredTimes = Type.Object({
  stages: Type.Array(
    Type.Object({
      stage: Type.Number(),
      times: Type.Array(
        Type.Object({
          starts_at: Type.String(TIME),
          ends_at: Type.String(TIME),
          because: UncoveredBecause,
        }),
      ),
    }),
  ),
  holidays: Type.Array(HolidayDay),
});
export type UncoveredTimes = Static<typeof UncoveredTimes>;

export const feedsApi = {
  list: endpoint('GET /api/calendars', {
    summary: 'List your calendar feeds',
    response: Type.Object({ feeds: Type.Array(FeedShown) }),
  }),
  find: endpoint('GET /api/calendars/:id', { summary: 'Find a calendar feed', response: FeedShown }),
  create: endpoint('POST /api/calendars', {
    summary: 'Create a calendar feed',
    description: 'Creates a feed, or answers 200 with the existing one.',
    body: NewFeedBody,
    response: FeedShown,
    status: [200, 201],
  }),
  rotate: endpoint('POST /api/calendars/:id/rotate', {
    summary: 'Give a calendar feed a new address',
    description: 'Replaces the address. The old one stops working at once.',
    response: FeedShown,
  }),
  revoke: endpoint('DELETE /api/calendars/:id', {
    summary: 'Revoke a calendar feed',
    response: Type.Object({ revoked: Type.Boolean() }),
  }),
};

export const holidaysApi = {
  list: endpoint('GET /api/holiday-calendars', {
    summary: 'List holiday calendars',
    description: 'Lists the calendars of a schedule or, without `schedule`, those of the organization.',
    query: Type.Object({ schedule: Type.Optional(Type.String({ maxLength: 100 })) }),
    response: Type.Object({ calendars: Type.Array(HolidayCalendarShown) }),
  }),
  find: endpoint('GET /api/holiday-calendars/:id', {
    summary: 'Find a holiday calendar',
    response: HolidayCalendarDetail,
  }),
  create: endpoint('POST /api/holiday-calendars', {
    summary: 'Create a holiday calendar',
    body: NewHolidayCalendarBody,
    response: HolidayCalendarDetail,
    status: [201],
  }),
  change: endpoint('PATCH /api/holiday-calendars/:id', {
    summary: 'Change a holiday calendar',
    body: HolidayCalendarChangeBody,
    response: HolidayCalendarDetail,
  }),
  countries: endpoint('GET /api/holiday-countries', {
    summary: 'List the countries whose public holidays are known',
    response: Type.Object({ countries: Type.Array(HolidayCountry) }),
  }),
  check: endpoint('POST /api/holiday-calendars/:id/check', {
    summary: 'Read the address of a holiday calendar, or compute the days of its country, now',
    response: HolidayCalendarDetail,
  }),
  remove: endpoint('DELETE /api/holiday-calendars/:id', {
    summary: 'Remove a holiday calendar',
    response: Type.Object({ removed: Type.Boolean() }),
  }),
};
