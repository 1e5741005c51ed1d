import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/**
 * The public holidays of a schedule from `from` to `to`, inclusive, as local dates such as `2026-12-25`. They come from
 * its own calendars, or from those of the organization if it has none.
 */
export async function holidaysOf(
  db: Handle,
  scheduleId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Set<string>> {
  return new Set((await namedHolidaysOf(db, scheduleId, from, to)).map(({ date }) => date));
}

/** Like `holidaysOf`, with names, in order. */
export async function namedHolidaysOf(
  db: Handle,
  scheduleId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<{ date: string; name: string }[]> {
  const { rows } = await sql<{ date: string; name: string }>`
    with schedule as (select id, organization_id from schedules where id = ${scheduleId}),
    followed as (
      select calendar.id from holiday_calendars calendar
      join schedule on schedule.organization_id = calendar.organization_id
      where calendar.schedule_id = schedule.id
        or (calendar.schedule_id is null
          and not exists (select from holiday_calendars own where own.organization_id = schedule.organization_id
            and own.schedule_id = schedule.id))
    )
    select date, min(name) as name from holidays
    where calendar_id in (select id from followed)
      and date between ${from.toString()}::date and ${to.toString()}::date
    group by date order by date`.execute(db);
  return rows;
}

/** Holidays by schedule id, for all schedules of an organization that have any. */
export async function holidaysOfAll(
  db: Handle,
  organizationId: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ scheduleId: string; dates: string[] }>`
    select schedule.id as "scheduleId", array_agg(distinct holidays.date::text) as dates
    from schedules schedule
    join holiday_calendars calendar on calendar.organization_id = schedule.organization_id
      and (calendar.schedule_id = schedule.id
        or (calendar.schedule_id is null and not exists (select from holiday_calendars own
          where own.organization_id = schedule.organization_id and own.schedule_id = schedule.id)))
    join holidays on holidays.calendar_id = calendar.id
      and holidays.date between ${from.toString()}::date and ${to.toString()}::date
    where schedule.organization_id = ${organizationId}
    group by schedule.id`.execute(db);
  return new Map(rows.map(({ scheduleId, dates }) => [scheduleId, new Set(dates)]));
}
