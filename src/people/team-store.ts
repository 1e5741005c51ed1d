import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Person, Role } from './contract.ts';
import { openPagesOf } from './open-pages-store.ts';
import type { TeamBelongings, TeamDetail, TeamRole, TeamSummary } from './team-api-contract.ts';
import type { TeamRelation } from './team-policy.ts';

export type Team = { id: string; name: string; slug: string; memberIds: string[] };

/** Every team with its members, in the order in which they joined. */
export async function listTeams(db: Handle, organizationId: string): Promise<Team[]> {
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'name', 'slug'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  const members = await db
    .selectFrom('team_members')
    .select(['team_id', 'user_id'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute();
  return teams.map((team) => ({
    ...team,
    memberIds: members.filter((member) => member.team_id === team.id).map((member) => member.user_id),
  }));
}

/** The team with this slug in any case; null if the organization has none. */
export async function findTeamBySlug(
  db: Handle,
  organizationId: string,
  slug: string,
): Promise<{ id: string; name: string; slug: string } | null> {
  const team = await db
    .selectFrom('teams')
    .select(['id', 'name', 'slug'])
    .where('organization_id', '=', organizationId)
    .where((eb) => eb(eb.fn('lower', ['slug']), '=', slug.toLowerCase()))
    .executeTakeFirst();
  return team ?? null;
}

/** A team of the organization by its id; null if there is none. */
export async function findTeam(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<{ name: string; slug: string } | null> {
  const team = await db
    .selectFrom('teams')
    .select(['name', 'slug'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return team ?? null;
}

export async function insertTeam(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  team: { id: string; name: string; slug: string },
): Promise<void> {
  await db
    .insertInto('teams')
    .values({ ...team, organization_id: organizationId, created_at: at, updated_at: at })
    .execute();
}

export async function renameTeam(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  teamId: string,
  name: string,
): Promise<void> {
  await db
    .updateTable('teams')
    .set({ name, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .execute();
}

export async function addTeamMembers(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  teamId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  await db
    .insertInto('team_members')
    .values(
      userIds.map((userId) => ({
        organization_id: organizationId,
        team_id: teamId,
        user_id: userId,
        created_at: at,
      })),
    )
    .execute();
}

/** Returns how many of them were members. */
export async function removeTeamMembers(
  db: Handle,
  organizationId: string,
  teamId: string,
  userIds: readonly string[],
): Promise<number> {
  if (userIds.length === 0) return 0;
  const removed = await db
    .deleteFrom('team_members')
    .where('organization_id', '=', organizationId)
    .where('team_id', '=', teamId)
    .where('user_id', 'in', userIds)
    .executeTakeFirstOrThrow();
  return Number(removed.numDeletedRows);
}

export async function deleteTeam(db: Handle, organizationId: string, teamId: string): Promise<void> {
  await db
    .deleteFrom('teams')
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .execute();
}

/**
 * Those of these teams that have pages, moments or webhooks, which would be deleted with the team. Locks the teams first, so that
 * none of them gets a page until the end of the transaction.
 */
export async function lockTeamsWithHistory(
  tx: Tx,
  organizationId: string,
  teamIds: readonly string[],
): Promise<Set<string>> {
  const ids = [...teamIds];
  await sql`
    select from teams where organization_id = ${organizationId} and id = any(${ids}::text[]) order by id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    select t.id from teams t
    where t.organization_id = ${organizationId} and t.id = any(${ids}::text[]) and (
      exists (select from pages p where p.organization_id = t.organization_id and p.team_id = t.id)
      or exists (select from moments m where m.organization_id = t.organization_id and m.team_id = t.id)
      or exists (select from webhooks w where w.organization_id = t.organization_id and w.team_id = t.id)
    )`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Removes a person from every team. */
export async function removeMembershipsOf(db: Handle, organizationId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('team_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

/** The relation of a person to a team, from a row of `team_members` that was left-joined as `alias`. */
export function relationJson(alias: string): RawBuilder<TeamRelation> {
  return sql.raw(
    `jsonb_build_object('member', ${alias}.user_id is not null, 'manager', coalesce(${alias}.role = 'manager', false))`,
  );
}

/** A team and the viewer's relation to it. */
export type TeamOfViewer = { id: string; name: string; slug: string; relation: TeamRelation };

/** A team of the viewer's organization by its slug or id. An id comes before the slug of another team. */
export async function findTeamOfViewer(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  slugOrId: string,
): Promise<TeamOfViewer | null> {
  const { rows } = await sql<TeamOfViewer>`
    select t.id, t.name, t.slug, ${relationJson('m')} as relation
    from teams t left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where t.organization_id = ${viewer.organizationId} and (t.id = ${slugOrId} or lower(t.slug) = lower(${slugOrId}))
    order by t.id = ${slugOrId} desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** All teams of the viewer's organization, by name. */
export async function listTeamsOfViewer(
  db: Handle,
  viewer: { organizationId: string; userId: string },
): Promise<TeamOfViewer[]> {
  const { rows } = await sql<TeamOfViewer>`
    select t.id, t.name, t.slug, ${relationJson('m')} as relation
    from teams t left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where t.organization_id = ${viewer.organizationId}
    order by lower(t.name), t.id`.execute(db);
  return rows;
}

/** The members of a team who can sign in, by id. */
async function activeMembers(db: Handle, teamId: string): Promise<{ id: string; role: TeamRole }[]> {
  const { rows } = await sql<{ id: string; role: TeamRole }>`
    select m.user_id as id, m.role from team_members m join users u on u.id = m.user_id and u.disabled_at is null
    where m.team_id = ${teamId} order by m.user_id`.execute(db);
  return rows;
}

/** The ids of the members of a team who can sign in, in their order. */
export async function teamMemberIds(db: Handle, teamId: string): Promise<string[]> {
  return (await activeMembers(db, teamId)).map(({ id }) => id);
}

/** The managers of a team, or all its members if it has none, without people who cannot sign in. */
export async function caretakers(db: Handle, teamId: string): Promise<string[]> {
  const members = await activeMembers(db, teamId);
  const managers = members.filter(({ role }) => role === 'manager');
  return (managers.length > 0 ? managers : members).map(({ id }) => id);
}

/** Whether a person is a manager of a team. */
export async function isManagerOf(db: Handle, teamId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role === 'manager';
}

type Viewer = { organizationId: string; userId: string };

function summaries(viewer: Viewer, where: RawBuilder<unknown>): RawBuilder<TeamSummary> {
  return sql<TeamSummary>`
    select t.id, t.name, t.slug,
      (select m.role from team_members m where m.team_id = t.id and m.user_id = ${viewer.userId}) as own_role,
      (select count(*)::integer from team_members m join users u on u.id = m.user_id
        where m.team_id = t.id and u.disabled_at is null) as members,
      (select count(*)::integer from schedules s where s.organization_id = t.organization_id and s.team_id = t.id)
        as schedules,
      (select count(*)::integer from webhooks w
        where w.organization_id = t.organization_id and w.team_id = t.id and w.revoked_at is null and not w.pages) as webhooks,
      (select count(*)::integer from webhooks w
        where w.organization_id = t.organization_id and w.team_id = t.id and w.revoked_at is null and w.pages) as sources,
      coalesce(p.open, 0) as open_pages
    from teams t
    left join (
      select team_id, count(*)::integer as open from ${openPagesOf(viewer.organizationId)} open group by team_id
    ) p on p.team_id = t.id
    where t.organization_id = ${viewer.organizationId} ${where}`;
}

/** All teams: the viewer's own first, then by name. */
export async function listTeamSummaries(db: Handle, viewer: Viewer): Promise<TeamSummary[]> {
  const { rows } = await sql<TeamSummary>`
    select * from (${summaries(viewer, sql``)}) t
    order by own_role is null, lower(name), id`.execute(db);
  return rows;
}

/** A team by its slug or id. */
export async function findTeamSummary(
  db: Handle,
  viewer: Viewer,
  slugOrId: string,
): Promise<TeamSummary | null> {
  const where = sql`and (t.id = ${slugOrId} or lower(t.slug) = lower(${slugOrId}))`;
  const { rows } = await sql<TeamSummary>`
    select * from (${summaries(viewer, where)}) t order by id = ${slugOrId} desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export type ListedMember = Person & { organization_role: Role; role: TeamRole; since: Temporal.Instant };

/** The members of a team who are not disabled: managers first, then by name. */
export async function listTeamMembers(
  db: Handle,
  organizationId: string,
  teamId: string,
): Promise<ListedMember[]> {
  const { rows } = await sql<ListedMember>`
    select u.id, u.name, u.email, u.role as organization_role, m.role, m.created_at as since
    from team_members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.team_id = ${teamId} and u.disabled_at is null
    order by m.role <> 'manager', lower(u.name), u.id`.execute(db);
  return rows;
}

/** The schedules of a team by name, including those that are not enabled. */
export async function listTeamSchedules(
  db: Handle,
  organizationId: string,
  teamId: string,
): Promise<TeamDetail['schedules']> {
  return db
    .selectFrom('schedules')
    .select(['id', 'name', 'enabled'])
    .where('organization_id', '=', organizationId)
    .where('team_id', '=', teamId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** Counting stops here, because it is enough to know that there are many. */
const MOST_COUNTED = 1_000;

/** What would be deleted with the team. Revoked webhooks and page sources count, because their received calls would be deleted. */
export async function countBelongings(
  db: Handle,
  organizationId: string,
  teamId: string,
): Promise<TeamBelongings> {
  const counted = (table: 'schedules' | 'webhooks' | 'pages' | 'moments', where = sql``) => sql`(
    select count(*)::integer from (
      select from ${sql.table(table)} where organization_id = ${organizationId} and team_id = ${teamId} ${where}
      limit ${MOST_COUNTED}) counted)`;
  const { rows } = await sql<TeamBelongings>`
    select ${counted('schedules')} as schedules, ${counted('webhooks', sql`and not pages`)} as webhooks,
      ${counted('webhooks', sql`and pages`)} as sources, ${counted('pages')} as pages, ${counted('moments')} as moments`.execute(
    db,
  );
  return rows[0] ?? { schedules: 0, webhooks: 0, sources: 0, pages: 0, moments: 0 };
}

/** Locks the team and its members until the end of the transaction. */
export async function lockTeam(tx: Tx, organizationId: string, teamId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from teams where organization_id = ${organizationId} and id = ${teamId} for update`.execute(tx);
  return rows.length > 0;
}

/** Whether another team has the slug. */
export async function slugIsTaken(
  tx: Tx,
  organizationId: string,
  slug: string,
  exceptTeamId: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from teams where organization_id = ${organizationId} and lower(slug) = lower(${slug})
      and id is distinct from ${exceptTeamId}`.execute(tx);
  return rows.length > 0;
}

/** Writes a new name and slug. */
export async function updateTeam(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  teamId: string,
  { name, slug }: { name: string; slug: string },
): Promise<void> {
  await tx
    .updateTable('teams')
    .set({ name, slug, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .execute();
}

/** Adds a person to a team, or changes a member's role. Returns the former role; null if they were not a member. */
export async function saveTeamMember(
  tx: Tx,
  at: Temporal.Instant,
  member: { organizationId: string; teamId: string; userId: string; role: TeamRole },
): Promise<TeamRole | null> {
  const { organizationId, teamId, userId, role } = member;
  const { rows } = await sql<{ role: TeamRole }>`
    select role from team_members where team_id = ${teamId} and user_id = ${userId}`.execute(tx);
  await sql`
    insert into team_members (organization_id, team_id, user_id, role, created_at)
    values (${organizationId}, ${teamId}, ${userId}, ${role}, ${at})
    on conflict (team_id, user_id) do update set role = excluded.role`.execute(tx);
  return rows[0]?.role ?? null;
}
