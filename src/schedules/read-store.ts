import { type RawBuilder, sql } from 'kysely';
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

export type ContactRow = { type: MethodType; value: string; chatUserId: string | null };
export type OncallRow = {
  scheduleId: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  userId: string;
  userName: string;
  userEmail: string;
  contactMethods: ContactRow[];
};

type Range = { start: Temporal.Instant; end: Temporal.Instant };

/**
 * Shifts of a schedule with a person that overlap the range, or contain its instant if start and end are equal, by
 * start, then stage. Disabled people are on call only in shifts that began before they were disabled.
 */
export async function listOncalls(
  db: Handle,
  scheduleId: string,
  range: Range,
  page: { limit: number; offset: number },
): Promise<OncallRow[]> {
  return oncallsWhere(db, sql`shifts.schedule_id = ${scheduleId}`, range, page);
}

/** The same for the enabled schedules of all organizations, without people who are disabled now. */
export async function listAllOncalls(db: Handle, range: Range, limit: number): Promise<OncallRow[]> {
  const matching = sql`users.disabled_at is null and shifts.schedule_id in (
    select schedules.id from schedules join organizations on organizations.id = schedules.organization_id
    where schedules.enabled and not organizations.hidden)`;
  return oncallsWhere(db, matching, range, { limit, offset: 0 });
}

type Viewer = { organizationId: string; userId: string };

/** The enabled schedules of the viewer's teams, and those in which the viewer is on call in a range. */
function concerning({ organizationId, userId }: Viewer, range: Range): RawBuilder<unknown> {
  return sql`(select schedules.id from schedules
    where schedules.organization_id = ${organizationId} and schedules.enabled and (
      schedules.team_id in (select team_id from team_members where user_id = ${userId})
      or exists (select from shifts own where own.schedule_id = schedules.id and own.user_id = ${userId}
        and own.starts_at < ${range.end} and own.ends_at > ${range.start})))`;
}

/** The shifts of the schedules that concern a viewer, without people who are disabled now. */
export async function listOncallsOf(
  db: Handle,
  viewer: Viewer,
  range: Range,
  limit: number,
): Promise<OncallRow[]> {
  const matching = sql`users.disabled_at is null and shifts.schedule_id in ${concerning(viewer, range)}`;
  return oncallsWhere(db, matching, range, { limit, offset: 0 });
}

/** The verified contact methods of a person, in their own order; `user` is the column with their id. */
const contactsOf = (user: string) => sql`(
  select jsonb_agg(jsonb_build_object('type', type, 'value', value, 'chatUserId', chat_user_id)
    order by position, id) as methods
  from contact_methods
  where user_id = ${sql.raw(user)} and verified_at is not null and type = any(${PUBLISHED_TYPES}::text[])
)`;

async function oncallsWhere(
  db: Handle,
  matching: RawBuilder<unknown>,
  range: Range,
  page: { limit: number; offset: number },
): Promise<OncallRow[]> {
  const { rows } = await sql<OncallRow>`
    select shift.schedule_id as "scheduleId", shift.stage, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
      users.id as "userId", users.name as "userName", users.email as "userEmail",
      coalesce(contacts.methods, '[]') as "contactMethods"
    from (
      select shifts.* from shifts
      join users on users.id = shifts.user_id
        and (users.disabled_at is null or users.disabled_at > shifts.starts_at)
      where ${matching}
        and tstzrange(shifts.starts_at, shifts.ends_at) && tstzrange(${range.start}, ${range.end},
          case when ${range.start}::timestamptz = ${range.end}::timestamptz then '[]' else '[)' end)
      order by shifts.starts_at, shifts.stage, shifts.seat, shifts.id
      limit ${page.limit} offset ${page.offset}
    ) shift
    join users on users.id = shift.user_id
    left join lateral ${contactsOf('shift.user_id')} contacts on true
    order by shift.starts_at, shift.stage, shift.seat, shift.id`.execute(db);
  return rows;
}

/** An enabled schedule, with its backstop unless that person is disabled. */
export type DirectoryRow = {
  id: string;
  name: string;
  team: string;
  organizationId: string;
  organization: string;
  backstop: { id: string; name: string; email: string; contactMethods: ContactRow[] } | null;
};

/** The enabled schedules of all organizations by organization, then name. */
export async function listDirectory(db: Handle, limit: number): Promise<DirectoryRow[]> {
  return directoryWhere(db, sql`schedules.enabled`, limit);
}

/** The schedules that concern a viewer, by name. */
export async function listDirectoryOf(
  db: Handle,
  viewer: Viewer,
  range: Range,
  limit: number,
): Promise<DirectoryRow[]> {
  return directoryWhere(db, sql`schedules.id in ${concerning(viewer, range)}`, limit);
}

async function directoryWhere(
  db: Handle,
  matching: RawBuilder<unknown>,
  limit: number,
): Promise<DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    select schedules.id, schedules.name, teams.name as team, organizations.id as "organizationId",
      organizations.name as organization,
      case when backstop.id is not null then jsonb_build_object('id', backstop.id, 'name', backstop.name,
        'email', backstop.email, 'contactMethods', coalesce(${contactsOf('backstop.id')}, '[]')) end as backstop
    from schedules
    join organizations on organizations.id = schedules.organization_id and not organizations.hidden
    join teams on teams.id = schedules.team_id
    left join users backstop on backstop.id = schedules.backstop_user_id and backstop.disabled_at is null
    where ${matching}
    order by organizations.name, organizations.id, schedules.name collate "C", schedules.id
    limit ${limit}`.execute(db);
  return rows;
}
