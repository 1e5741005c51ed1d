import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { type MethodType, PUBLISHED_TYPES } from '../notifications/channels/contract.ts';

export type ScheduleRow = {
  id: string;
  name: string;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  description: string | null;
  enabled: boolean;
  backstopId: string | null;
  backstopName: string | null;
  backstopEmail: string | null;
};

/** Schedules of an organization by name, then id; `name` null for all. */
export async function listSchedules(
  db: Handle,
  organizationId: string,
  name: string | null,
  page: { limit: number; offset: number },
): Promise<{ total: number; schedules: ScheduleRow[] }> {
  const matching = db
    .selectFrom('schedules')
    .where('schedules.organization_id', '=', organizationId)
    .$if(name !== null, (query) => query.where('schedules.name', '=', name));
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const schedules = await matching
    .leftJoin('users as backstop', 'backstop.id', 'schedules.backstop_user_id')
    .select([
      'schedules.id',
      'schedules.name',
      'schedules.created_at as createdAt',
      'schedules.updated_at as updatedAt',
      'schedules.description',
      'schedules.enabled',
      'backstop.id as backstopId',
      'backstop.name as backstopName',
      'backstop.email as backstopEmail',
    ])
    .orderBy(sql`schedules.name collate "C"`)
    .orderBy('schedules.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, schedules };
}

export async function scheduleExists(db: Handle, organizationId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('schedules')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

type ContactRow = { type: MethodType; value: string; chatUserId: string | null };
export type OncallRow = {
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  userName: string;
  userEmail: string;
  contactMethods: ContactRow[];
};

/**
 * Shifts of a schedule with a person that overlap the range, or contain its instant if start and end are equal, by
 * start, then stage. Disabled people are on call only in shifts that began before they were disabled.
 */
export async function listOncalls(
  db: Handle,
  scheduleId: string,
  range: { start: Temporal.Instant; end: Temporal.Instant },
  page: { limit: number; offset: number },
): Promise<OncallRow[]> {
  const { rows } = await sql<OncallRow>`
    select shift.stage, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
      users.name as "userName", users.email as "userEmail",
      coalesce(contacts.methods, '[]') as "contactMethods"
    from (
      select shifts.* from shifts
      join users on users.id = shifts.user_id
        and (users.disabled_at is null or users.disabled_at > shifts.starts_at)
      where shifts.schedule_id = ${scheduleId}
        and tstzrange(shifts.starts_at, shifts.ends_at) && tstzrange(${range.start}, ${range.end},
          case when ${range.start}::timestamptz = ${range.end}::timestamptz then '[]' else '[)' end)
      order by shifts.starts_at, shifts.stage, shifts.seat, shifts.id
      limit ${page.limit} offset ${page.offset}
    ) shift
    join users on users.id = shift.user_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('type', type, 'value', value, 'chatUserId', chat_user_id)
        order by position, id) as methods
      from contact_methods
      where user_id = shift.user_id and verified_at is not null and type = any(${PUBLISHED_TYPES}::text[])
    ) contacts on true
    order by shift.starts_at, shift.stage, shift.seat, shift.id`.execute(db);
  return rows;
}
