import { isTimeZone } from '../kit/validation.ts';
import { DAYS, windowsOf } from '../schedules/hours.ts';
import type { SourceHours } from './contract.ts';

/** Hours of one week may fall into the hour that summer time skips; then the next week has them. */
const DAYS_AHEAD = 15;

/**
 * When the hours of a source begin next; null if it pages at `at`. Hours are local times: `to` is on the next day if it
 * is before `from`, and 24:00 is the end of the day. Where the clocks go forward, hours shrink; where they go back, a time
 * that happens twice means the first one.
 */
export function hoursBeginAt(hours: SourceHours, at: Temporal.Instant): Temporal.Instant | null {
  // Another release of Node.js may not know a zone that was accepted.
  if (!isTimeZone(hours.zone)) return null;
  const today = at.toZonedDateTimeISO(hours.zone).toPlainDate();
  const weekly = hours.weekly.map(({ days, from, to }) => ({
    days: days.map((day) => DAYS[day - 1] ?? ''),
    from,
    to,
  }));
  const now = at.epochMilliseconds;
  // The first one that has not ended. Without any, the source pages, because a page is never lost over its hours.
  const next = windowsOf(weekly, hours.zone, today, today.add({ days: DAYS_AHEAD })).find(
    ({ to }) => to > now,
  );
  return next && next.from > now ? Temporal.Instant.fromEpochMilliseconds(next.from) : null;
}
