import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Language } from '../language/contract.ts';
import type { AuditAction } from './audit-contract.ts';
import type { Person, Role } from './contract.ts';
import type { AuditLine, AuditQuery } from './organization-api-contract.ts';
import type { ClockChoice, PersonSummary } from './person-contract.ts';

export type Organization = { id: string; name: string; timeZone: string };

export type User = {
  id: string;
  email: string;
  name: string;
  username: string;
  role: Role;
  timeZone: string;
  disabledAt: Temporal.Instant | null;
};

/** Oldest first. */
export async function listOrganizations(db: Handle): Promise<Organization[]> {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'time_zone as timeZone'])
    .where('hidden', '=', false)
    .orderBy('id')
    .execute();
}

export async function insertOrganization(
  db: Handle,
  at: Temporal.Instant,
  organization: Organization & { language?: Language | undefined },
): Promise<void> {
  const { id, name, timeZone, language } = organization;
  await db
    .insertInto('organizations')
    .values({
      ...{ id, name, time_zone: timeZone, created_at: at, updated_at: at },
      ...(language ? { language } : {}),
    })
    .execute();
}

export async function updateOrganization(
  db: Handle,
  at: Temporal.Instant,
  organization: Organization & { language?: Language | undefined },
): Promise<void> {
  const { id, name, timeZone, language } = organization;
  await db
    .updateTable('organizations')
    .set({ name, time_zone: timeZone, ...(language ? { language } : {}), updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** All people of the organization, including disabled ones, oldest first. */
export async function listUsers(db: Handle, organizationId: string): Promise<User[]> {
  return selectUsers(db).where('organization_id', '=', organizationId).orderBy('id').execute();
}

/** People with this email address in any organization. For the operator's commands, never for a request. */
export async function findUsersEverywhere(
  db: Handle,
  email: string,
): Promise<(User & { organization: Organization })[]> {
  const rows = await selectUsers(db)
    .select(['organization_id as organizationId'])
    .where(sql`lower(email)`, '=', email.trim().toLowerCase())
    .orderBy('id')
    .execute();
  const organizations = new Map((await listOrganizations(db)).map((one) => [one.id, one]));
  return rows.flatMap(({ organizationId, ...user }) => {
    const organization = organizations.get(organizationId);
    return organization ? [{ ...user, organization }] : [];
  });
}

function selectUsers(db: Handle) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'name',
      'username',
      'role',
      'time_zone as timeZone',
      'disabled_at as disabledAt',
    ]);
}

export async function insertUser(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  user: Omit<User, 'disabledAt'>,
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      organization_id: organizationId,
      email: user.email,
      name: user.name,
      username: user.username,
      role: user.role,
      time_zone: user.timeZone,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/**
 * Writes what differs from `before`, as it was read. The rest stays, because somebody else may have changed it since, for
 * example taken away a role.
 */
export async function updateUser(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  before: User,
  after: User,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      updated_at: at,
      ...(after.email === before.email ? {} : { email: after.email }),
      ...(after.name === before.name ? {} : { name: after.name }),
      ...(after.username === before.username ? {} : { username: after.username }),
      ...(after.role === before.role ? {} : { role: after.role }),
      ...(after.timeZone === before.timeZone ? {} : { time_zone: after.timeZone }),
      ...(after.disabledAt === before.disabledAt ? {} : { disabled_at: after.disabledAt }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', before.id)
    .execute();
}

/**
 * Frees the usernames of these people before they get new ones. Otherwise two people could not swap names, because
 * uniqueness is checked row by row.
 */
export async function parkUsernames(
  db: Handle,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  await db
    .updateTable('users')
    .set((eb) => ({ username: eb.ref('id') }))
    .where('organization_id', '=', organizationId)
    .where('id', 'in', userIds)
    .execute();
}

/** Disables a person, who can then neither sign in nor be paged. The row stays, because other rows refer to it. */
export async function disableUser(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<void> {
  await setDisabledAt(db, at, organizationId, userId, at);
}

/** Enables a person, who can sign in again. Teams and schedules have to be assigned again. */
export async function enableUser(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<void> {
  await setDisabledAt(db, at, organizationId, userId, null);
}

async function setDisabledAt(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
  disabledAt: Temporal.Instant | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ disabled_at: disabledAt, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .execute();
}

/** Deletes a person without history. With history, its rows would be deleted too. */
export async function deleteUser(db: Handle, organizationId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('users')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .execute();
}

/**
 * Those of these people who appear in the history: pages, shifts that have begun, keys, the audit log. Locks the people
 * first, so that none of them gets a page until the end of the transaction.
 */
export async function lockUsersWithHistory(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const ids = [...userIds];
  await sql`
    select from users where organization_id = ${organizationId} and id = any(${ids}::text[]) order by id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.organization_id = ${organizationId} and u.id = any(${ids}::text[]) and (
      exists (select from responders r where r.organization_id = u.organization_id and r.user_id = u.id)
      or exists (select from pages p where p.organization_id = u.organization_id
        and u.id in (p.user_id, p.raised_by, p.acknowledged_by, p.first_acknowledged_by, p.resolved_by))
      or exists (select from page_events e where e.organization_id = u.organization_id and e.user_id = u.id)
      or exists (select from refused_pages r where r.organization_id = u.organization_id and r.user_id = u.id)
      or exists (select from shifts s where s.organization_id = u.organization_id
        and u.id in (s.user_id, s.planned_user_id) and s.starts_at <= ${at})
      or exists (select from former_shifts f where f.organization_id = u.organization_id and f.user_id = u.id)
      or exists (select from pay_statements p where p.organization_id = u.organization_id and p.user_id = u.id)
      or exists (select from api_keys k where k.organization_id = u.organization_id and k.user_id = u.id)
      or exists (select from audit_log a where a.organization_id = u.organization_id and a.user_id = u.id)
    )`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** A row of `users`, joined as `alias`, as the JSON of a `Person`; null if no row was joined. */
export function personJson(alias: string): RawBuilder<Person> {
  return sql.raw(
    `case when ${alias}.id is null then null
      else jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'email', ${alias}.email) end`,
  );
}

/** The clock that a person chose for the dashboard; `u`: the alias of `users`. */
export function clockOf(): RawBuilder<ClockChoice> {
  return sql<ClockChoice>`case u.twelve_hour_clock when true then '12' when false then '24' else 'device' end`;
}

/** People of an organization by id, the disabled included. Null and unknown ids are left out. */
export async function peopleById(
  db: Handle,
  organizationId: string,
  ids: readonly (string | null)[],
): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<Person>`
    select id, name, email from users
    where organization_id = ${organizationId} and id = any(${wanted}::text[])`.execute(db);
  return new Map(rows.map((person) => [person.id, person]));
}

export type Reader = { id: string; name: string; timeZone: string };

/** People of an organization by id, with the time zone in which they read notices. Unknown ids are left out. */
export async function readersById(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Reader>> {
  return readersWhere(db, sql`organization_id = ${organizationId} and`, ids);
}

/** The same for people of any organization. For duties, never for a request. */
export async function readersEverywhere(db: Handle, ids: readonly string[]): Promise<Map<string, Reader>> {
  return readersWhere(db, sql``, ids);
}

async function readersWhere(
  db: Handle,
  which: RawBuilder<unknown>,
  ids: readonly string[],
): Promise<Map<string, Reader>> {
  const { rows } = await sql<Reader>`
    select id, name, time_zone as "timeZone" from users
    where ${which} id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map((reader) => [reader.id, reader]));
}

/** Which of these are people of the organization who are not disabled, and so can sign in, be paged and be on call. */
export async function activePeople(
  db: Handle,
  organizationId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where organization_id = ${organizationId} and id = any(${userIds}::text[]) and disabled_at is null`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** A person of the organization who is not disabled; null otherwise. */
export async function findActive(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<{ id: string; name: string } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export type OrganizationRow = {
  id: string;
  name: string;
  timeZone: string;
  language: Language;
  createdAt: Temporal.Instant;
};

/** `lock`: holds the row until the transaction ends. */
export async function findOrganization(db: Handle, id: string, lock: boolean): Promise<OrganizationRow> {
  const query = db
    .selectFrom('organizations')
    .select([
      'id',
      'name',
      'time_zone as timeZone',
      sql<Language>`language`.as('language'),
      'created_at as createdAt',
    ])
    .where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirstOrThrow();
}

/** The time zone of an organization, which is the default for what is set up in it. */
export async function organizationZone(db: Handle, id: string): Promise<string> {
  return (await findOrganization(db, id, false)).timeZone;
}

/** Newest first. */
export async function listAudit(db: Handle, organizationId: string, which: AuditQuery): Promise<AuditLine[]> {
  const { limit, before, action, user } = which;
  const { rows } = await sql<AuditLine>`
    select l.id, ${utcText('l.at')} as at, l.action, l.subject, l.data,
      ${personJson('u')} as by
    from audit_log l left join users u on u.id = l.user_id
    where l.organization_id = ${organizationId}
      and (${before ?? null}::bigint is null or l.id < ${before ?? null}::bigint)
      and (${action ?? null}::text is null or starts_with(l.action, ${action ?? null}))
      and (${user ?? null}::text is null or l.user_id = ${user ?? null})
    order by l.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The language in which the service writes to a person: the one that they chose, or that of their organization. `u`: their row. */
export function languageOf(u: string): RawBuilder<Language> {
  const of = (column: string) => sql.ref(`${u}.${column}`);
  return sql<Language>`coalesce(${of('language')}, (select o.language from organizations o where o.id = ${of('organization_id')}))`;
}

/** The languages of people by their ids, for texts that are made for several readers. Unknown ids are left out. */
export async function languagesById(db: Handle, ids: readonly string[]): Promise<Map<string, Language>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; language: Language }>`
    select u.id, ${languageOf('u')} as language from users u where u.id = any(${[...new Set(ids)]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, language }) => [id, language]));
}

/** The language of one person, or of the organization for somebody who is not in it yet. */
export async function languageOfReader(
  db: Handle,
  organizationId: string,
  userId: string | null,
): Promise<Language> {
  const { rows } = await sql<{ language: Language }>`
    select coalesce((select u.language from users u where u.id = ${userId}), o.language) as language
    from organizations o where o.id = ${organizationId}`.execute(db);
  return rows[0]?.language ?? 'en';
}

/** A change by a person. `subject` is the id of what was changed; `data` never holds a secret. */
export type AuditEntry = { action: AuditAction; subject: string; data: Record<string, unknown> };

/** Records who changed what. `userId` is null for the operator on the command line. */
export async function recordAudit(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string | null,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        organization_id: organizationId,
        at,
        user_id: userId,
        action: entry.action,
        subject: entry.subject,
        data: JSON.stringify(entry.data),
      })),
    )
    .execute();
}

/** The same for one change of a request. */
export async function audit(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: { organizationId: string; userId: string },
  action: AuditAction,
  subject: string,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(db, at, organizationId, userId, [{ action, subject, data }]);
}

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  username: string;
  role: Role;
  timeZone: string;
  sleepFrom: number | null;
  sleepUntil: number | null;
  clock: ClockChoice;
  language: Language | null;
  disabledAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  dashboardOpen: boolean;
  teams: PersonSummary['teams'];
};

/** All people of the organization, disabled ones last, or the one with this id. */
export async function listPeople(
  db: Handle,
  organizationId: string,
  id: string | null,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select u.id, u.name, u.email, u.username, u.role, u.time_zone as "timeZone", u.sleep_from as "sleepFrom",
      u.sleep_until as "sleepUntil", ${clockOf()} as clock, u.language, u.disabled_at as "disabledAt", u.created_at as "createdAt",
      exists (select from open_dashboards o where o.user_id = u.id) as "dashboardOpen",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'role', m.role) order by t.name)
        from team_members m join teams t on t.id = m.team_id where m.user_id = u.id), '[]') as teams
    from users u
    where u.organization_id = ${organizationId} and (${id}::text is null or u.id = ${id})
    order by u.disabled_at is not null, lower(u.name), u.id`.execute(db);
  return rows;
}

/** What people may change about themselves, and admins about others. */
export type PersonChange = {
  name?: string | undefined;
  username?: string | undefined;
  timeZone?: string | undefined;
  role?: Role | undefined;
  sleep?: { from: number; until: number } | undefined;
  clock?: ClockChoice | undefined;
  language?: Language | null | undefined;
};

export async function updatePerson(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  { name, username, timeZone, role, sleep, clock, language }: PersonChange,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      updated_at: at,
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(role === undefined ? {} : { role }),
      ...(sleep === undefined ? {} : { sleep_from: sleep.from, sleep_until: sleep.until }),
      ...(language === undefined ? {} : { language }),
      ...(clock === undefined ? {} : { twelve_hour_clock: clock === 'device' ? null : clock === '12' }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Whether another person of the organization has this username. */
export async function usernameIsTaken(
  db: Handle,
  organizationId: string,
  username: string,
  exceptId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from users where organization_id = ${organizationId} and lower(username) = lower(${username})
      and id <> ${exceptId}`.execute(db);
  return rows.length > 0;
}

/** A person, with the row locked, and how many other owners there are. Null if they are not in the organization. */
export async function lockPerson(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ name: string; email: string; role: Role; disabled: boolean; otherOwners: number } | null> {
  // Locks all owners, because if two leave at the same time, they must not both see the other one as remaining.
  const { rows } = await sql<{ id: string; name: string; email: string; role: Role; disabled: boolean }>`
    select id, name, email, role, disabled_at is not null as disabled from users
    where organization_id = ${organizationId} and (id = ${id} or role = 'owner') order by id for update`.execute(
    tx,
  );
  const person = rows.find((row) => row.id === id);
  if (!person) return null;
  const others = rows.filter((row) => row.id !== id && row.role === 'owner' && !row.disabled);
  const { name, email, role, disabled } = person;
  return { name, email, role, disabled, otherOwners: others.length };
}
