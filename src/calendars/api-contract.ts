import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';

/**
 * Requests and answers about calendars: feeds to subscribe to, and public holidays. Times are ISO 8601 in UTC, dates
 * are local days such as `2026-12-25`.
 */

/** The path of a feed, which needs no session: the token is the secret. */
export function calendarPath(token: string): string {
  return `/calendar/${token}.ics`;
}

export const FEED_KINDS = ['person', 'team', 'schedule'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** POST /api/calendars. Answers with the existing feed if there is one. */
export const NewFeedBody = Type.Object({
  kind: Type.Enum(FEED_KINDS, { type: 'string' }),
  /** With `team`: the team's id or slug; with `schedule`: the schedule's id. A person's feed is the viewer's own. */
  team: Type.Optional(Type.String({ minLength: 1, maxLength: 200, format: 'text' })),
  schedule: Type.Optional(Type.String({ minLength: 1, maxLength: 200, format: 'text' })),
});
export type NewFeedBody = Static<typeof NewFeedBody>;

/**
 * GET /api/calendars (`{ feeds }`: the viewer's own), GET/DELETE /api/calendars/:id, POST /api/calendars/:id/rotate
 * (gives a new address; the old one stops working at once).
 */
export type FeedShown = {
  id: string;
  kind: FeedKind;
  team: { id: string; name: string; slug: string } | null;
  schedule: { id: string; name: string } | null;
  /** `https://…/calendar/<token>.ics`; null until the viewer re-authenticates. */
  url: string | null;
  created_at: string;
  rotated_at: string | null;
  last_used_at: string | null;
};

const holidayUrl = Type.String({ maxLength: 2_048, description: 'of an iCalendar file' });
const holidayName = Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE });

/**
 * POST /api/holiday-calendars: exactly one of `url` (polled), `ics` (the text of a file) and `days` (a list that was
 * typed in). Without `schedule` it belongs to the organization; only admins and owners may create those.
 */
export const NewHolidayCalendarBody = Type.Object({
  name: holidayName,
  schedule: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'id of the schedule' })),
  url: Type.Optional(holidayUrl),
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
  days: Type.Optional(
    Type.Array(Type.Object({ date: Type.String({ maxLength: 20 }), name: Type.String({ maxLength: 200 }) }), {
      maxItems: 2_000,
    }),
  ),
});
export type NewHolidayCalendarBody = Static<typeof NewHolidayCalendarBody>;

/** PATCH /api/holiday-calendars/:id; absent fields stay as they are. */
export const HolidayCalendarChangeBody = Type.Object({
  name: Type.Optional(holidayName),
  url: Type.Optional(holidayUrl),
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
  days: Type.Optional(
    Type.Array(Type.Object({ date: Type.String({ maxLength: 20 }), name: Type.String({ maxLength: 200 }) }), {
      maxItems: 2_000,
    }),
  ),
});
export type HolidayCalendarChangeBody = Static<typeof HolidayCalendarChangeBody>;

/**
 * GET /api/holiday-calendars?schedule=ID (`{ calendars }`; without `schedule` those of the organization), GET
 * /api/holiday-calendars/:id (with `days`), DELETE, POST /api/holiday-calendars/:id/check (reads the URL now).
 */
export type HolidayCalendarShown = {
  id: string;
  name: string;
  schedule: { id: string; name: string } | null;
  url: string | null;
  day_count: number;
  /** The next holiday from today on. */
  next: HolidayDay | null;
  checked_at: string | null;
  /** Why the address could not be read last time; earlier days stay. */
  error: string | null;
  may_manage: boolean;
};
export type HolidayDay = { date: string; name: string };
export type HolidayCalendarDetail = HolidayCalendarShown & { days: HolidayDay[] };

/**
 * GET /api/schedules/:id/uncovered?from&to: the times without anybody on call by design (outside the hours, holidays,
 * before the start date), by stage. The backstop answers then; it is no gap.
 */
export type UncoveredTimes = {
  stages: { stage: number; times: { starts_at: string; ends_at: string; because: UncoveredBecause }[] }[];
  holidays: HolidayDay[];
};
export type UncoveredBecause = 'hours' | 'holiday' | 'not_begun';
