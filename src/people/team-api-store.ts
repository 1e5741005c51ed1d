import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Person, Role } from './contract.ts';
import { openPagesOf } from './open-pages-store.ts';
import type { TeamBelongings, TeamDetail, TeamRole, TeamSummary } from './team-api-contract.ts';

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

/** Which of these are people of the organization who are not disabled. */
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

/** Adds a person to a team, or changes a member's role. Returns the former role; null if they were no member. */
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
