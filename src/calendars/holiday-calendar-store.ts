import { type Selectable, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { HolidayCalendars } from '../db/schema.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { HolidayDay } from './api-contract.ts';

export type HolidayCalendarRow = Selectable<HolidayCalendars>;

export type ListedHolidayCalendar = HolidayCalendarRow & {
  scheduleName: string | null;
  dayCount: number;
  next: HolidayDay | null;
  /** The viewer's relation to the schedule's team; none for the organization's calendars. */
  relation: TeamRelation;
};

type Viewer = { organizationId: string; userId: string };

/** `scheduleId` null lists the organization's calendars; `id` finds one calendar. `today`: the current date in UTC. */
export async function listHolidayCalendars(
  db: Handle,
  viewer: Viewer,
  today: Temporal.PlainDate,
  which: { scheduleId: string | null } | { id: string },
): Promise<ListedHolidayCalendar[]> {
  const { rows } = await sql<ListedHolidayCalendar>`
    select calendar.*, schedule.name as "scheduleName",
      (select count(*)::int from holidays where calendar_id = calendar.id) as "dayCount",
      (select jsonb_build_object('date', date, 'name', holidays.name) from holidays
        where calendar_id = calendar.id and date >= ${today.toString()}::date order by date limit 1) as next,
      ${relationJson('membership')} as relation
    from holiday_calendars calendar
    left join schedules schedule on schedule.id = calendar.schedule_id
    left join team_members membership on membership.team_id = schedule.team_id and membership.user_id = ${viewer.userId}
    where calendar.organization_id = ${viewer.organizationId}
      and ${'id' in which ? sql`calendar.id = ${which.id}` : sql`calendar.schedule_id is not distinct from ${which.scheduleId}`}
    order by lower(calendar.name), calendar.id`.execute(db);
  return rows;
}

/** The days of a calendar as local dates, in order. */
export async function daysOfCalendar(db: Handle, id: string): Promise<HolidayDay[]> {
  return db
    .selectFrom('holidays')
    .select(['date', 'name'])
    .where('calendar_id', '=', id)
    .orderBy('date')
    .execute();
}

/** A schedule and the viewer's relation to its team. */
export async function findScheduleOfViewer(
  db: Handle,
  viewer: Viewer,
  scheduleId: string,
): Promise<{ id: string; name: string; relation: TeamRelation } | null> {
  const { rows } = await sql<{ id: string; name: string; relation: TeamRelation }>`
    select schedule.id, schedule.name, ${relationJson('membership')} as relation
    from schedules schedule
    left join team_members membership on membership.team_id = schedule.team_id and membership.user_id = ${viewer.userId}
    where schedule.organization_id = ${viewer.organizationId} and schedule.id = ${scheduleId}`.execute(db);
  return rows[0] ?? null;
}

/** A calendar of the organization, locked until the transaction ends; null if there is none. */
export async function lockHolidayCalendar(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<HolidayCalendarRow | null> {
  const row = await tx
    .selectFrom('holiday_calendars')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertHolidayCalendar(
  tx: Tx,
  at: Temporal.Instant,
  calendar: Pick<
    HolidayCalendarRow,
    'id' | 'organization_id' | 'schedule_id' | 'name' | 'url' | 'country' | 'region' | 'created_by'
  >,
): Promise<void> {
  await tx
    .insertInto('holiday_calendars')
    .values({ ...calendar, created_at: at, updated_at: at })
    .execute();
}

export async function updateHolidayCalendar(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  values: Partial<Pick<HolidayCalendarRow, 'name' | 'url' | 'country' | 'region' | 'next_check_at'>>,
): Promise<void> {
  await tx
    .updateTable('holiday_calendars')
    .set({ ...values, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function deleteHolidayCalendar(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('holiday_calendars').where('id', '=', id).execute();
}

/** How many calendars a schedule has of its own, or the organization if null. */
export async function countHolidayCalendars(
  db: Handle,
  organizationId: string,
  scheduleId: string | null,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from holiday_calendars
    where organization_id = ${organizationId} and schedule_id is not distinct from ${scheduleId}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Replaces the calendar's days from `since` on (all if null); returns whether anything changed. */
export async function saveDays(
  tx: Tx,
  id: string,
  days: readonly HolidayDay[],
  since: Temporal.PlainDate | null,
): Promise<boolean> {
  const rows = JSON.stringify(days);
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as given(date date, name text)`;
  const gone = await sql`
    delete from holidays where calendar_id = ${id} and date >= coalesce(${since?.toString() ?? null}::date, '-infinity')
      and date not in (select date from ${given})`.execute(tx);
  const saved = await sql`
    insert into holidays (calendar_id, date, name) select ${id}, date, name from ${given}
    on conflict (calendar_id, date) do update set name = excluded.name where holidays.name <> excluded.name`.execute(
    tx,
  );
  return (gone.numAffectedRows ?? 0n) + (saved.numAffectedRows ?? 0n) > 0n;
}

/** Marks the schedules with `uncovered` holidays for replanning. */
export async function askToReplan(
  tx: Tx,
  at: Temporal.Instant,
  { organization_id, schedule_id }: Pick<HolidayCalendarRow, 'organization_id' | 'schedule_id'>,
): Promise<void> {
  await sql`
    update schedules set replan_since = coalesce(replan_since, ${at})
    where organization_id = ${organization_id} and holiday_use = 'uncovered'
      and (${schedule_id}::text is null or id = ${schedule_id})`.execute(tx);
}

/** Leases the calendar that has been due longest until `lease`; null if none is due. */
export async function claimDueHolidayCalendar(
  db: Handle,
  at: Temporal.Instant,
  lease: Temporal.Instant,
): Promise<HolidayCalendarRow | null> {
  const { rows } = await sql<HolidayCalendarRow>`
    update holiday_calendars set next_check_at = ${lease}
    where id = (
      select id from holiday_calendars where next_check_at <= ${at} order by next_check_at limit 1
      for update skip locked)
    returning *`.execute(db);
  return rows[0] ?? null;
}

/** Records how reading a calendar ended. A missing `etag` stays as it is. */
export async function noteHolidaysChecked(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  outcome: { error: string | null; etag?: string | null; nextCheckAt: Temporal.Instant | null },
): Promise<void> {
  await tx
    .updateTable('holiday_calendars')
    .set((eb) => ({
      checked_at: at,
      error: outcome.error,
      failures: outcome.error === null ? 0 : eb('failures', '+', 1),
      next_check_at: outcome.nextCheckAt,
      ...(outcome.etag === undefined ? {} : { etag: outcome.etag }),
    }))
    .where('id', '=', id)
    .execute();
}

/** The calendar of this name among those of a schedule. */
export async function findNamedCalendar(
  tx: Tx,
  scheduleId: string,
  name: string,
): Promise<Pick<HolidayCalendarRow, 'id' | 'url' | 'country' | 'region'> | null> {
  const row = await tx
    .selectFrom('holiday_calendars')
    .select(['id', 'url', 'country', 'region'])
    .where('schedule_id', '=', scheduleId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Makes the calendar due, so that the duty reads it next. */
export async function askToRead(tx: Tx, at: Temporal.Instant, id: string): Promise<void> {
  await tx
    .updateTable('holiday_calendars')
    .set({ next_check_at: at, etag: null })
    .where('id', '=', id)
    .execute();
}

/**
 * The SQL condition for a `calendar` that a `schedule` follows: one of its own, or one of the organization if it has
 * none.
 */
const FOLLOWS = sql`calendar.organization_id = schedule.organization_id and (calendar.schedule_id = schedule.id
  or (calendar.schedule_id is null and not exists (select from holiday_calendars own
    where own.organization_id = schedule.organization_id and own.schedule_id = schedule.id)))`;

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
    select date, min(name) as name from holidays
    where calendar_id in (
        select calendar.id from schedules schedule join holiday_calendars calendar on ${FOLLOWS}
        where schedule.id = ${scheduleId})
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
    join holiday_calendars calendar on ${FOLLOWS}
    join holidays on holidays.calendar_id = calendar.id
      and holidays.date between ${from.toString()}::date and ${to.toString()}::date
    where schedule.organization_id = ${organizationId}
    group by schedule.id`.execute(db);
  return new Map(rows.map(({ scheduleId, dates }) => [scheduleId, new Set(dates)]));
}
