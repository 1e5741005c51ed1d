import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

export type Told = { id: string; name: string; timeZone: string };

/** People of an organization by their ids. */
export async function peopleById(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Told>> {
  const { rows } = await sql<Told>`
    select id, name, time_zone as "timeZone" from users
    where organization_id = ${organizationId} and id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The managers of a team, or all its members if it has none, without people who cannot sign in. */
export async function caretakers(db: Handle, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; role: string }>`
    select m.user_id as id, m.role from team_members m join users u on u.id = m.user_id and u.disabled_at is null
    where m.team_id = ${teamId} order by m.user_id`.execute(db);
  const managers = rows.filter(({ role }) => role === 'manager');
  return (managers.length > 0 ? managers : rows).map(({ id }) => id);
}

/** A person of the organization who can sign in; null otherwise. */
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

export async function isManagerOf(db: Handle, teamId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role === 'manager';
}
