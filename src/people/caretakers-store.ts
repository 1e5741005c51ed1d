import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** The managers of a team, or all its members if it has none, without people who cannot sign in. */
export async function caretakers(db: Handle, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; role: string }>`
    select m.user_id as id, m.role from team_members m join users u on u.id = m.user_id and u.disabled_at is null
    where m.team_id = ${teamId} order by m.user_id`.execute(db);
  const managers = rows.filter(({ role }) => role === 'manager');
  return (managers.length > 0 ? managers : rows).map(({ id }) => id);
}

/** Owners of these organizations who can sign in. */
export async function ownersOf(
  db: Handle,
  organizationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ organizationId: string; id: string }>`
    select organization_id as "organizationId", id from users
    where organization_id = any(${[...new Set(organizationIds)]}::text[]) and role = 'owner' and disabled_at is null
    order by id`.execute(db);
  const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId);
  return new Map([...byOrganization].map(([id, owners]) => [id, owners.map((owner) => owner.id)]));
}

export async function isManagerOf(db: Handle, teamId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role === 'manager';
}
