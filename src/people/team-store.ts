import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

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

/** Teams with pages, moments or webhooks, which would be deleted with the team. */
export async function teamsWithHistory(db: Handle, organizationId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select t.id from teams t
    where t.organization_id = ${organizationId} and (
      exists (select from pages p where p.organization_id = t.organization_id and p.team_id = t.id)
      or exists (select from moments m where m.organization_id = t.organization_id and m.team_id = t.id)
      or exists (select from webhooks w where w.organization_id = t.organization_id and w.team_id = t.id)
    )`.execute(db);
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
