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
