import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Person } from '../people/contract.ts';
import type { Sleep } from '../people/persons/sleep.ts';
import type { TeamRole } from '../people/team-api-contract.ts';
import type { Sleeper } from './interruptions.ts';

export type TeamScope = { id: string; name: string; slug: string; ownRole: TeamRole | null };
export type ScheduleScope = { id: string; name: string; teamId: string };

/** A team by its slug or id, and the viewer's role in it. */
export async function findTeam(
  db: Handle,
  { organizationId, userId }: { organizationId: string; userId: string },
  slugOrId: string,
): Promise<TeamScope | null> {
  const { rows } = await sql<TeamScope>`
    select t.id, t.name, t.slug, m.role as "ownRole"
    from teams t left join team_members m on m.team_id = t.id and m.user_id = ${userId}
    where t.organization_id = ${organizationId} and (t.id = ${slugOrId} or lower(t.slug) = lower(${slugOrId}))
    order by t.id = ${slugOrId} desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function findSchedule(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<ScheduleScope | null> {
  const row = await db
    .selectFrom('schedules')
    .select(['id', 'name', 'team_id as teamId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function organizationZone(db: Handle, organizationId: string): Promise<string> {
  const { zone } = await db
    .selectFrom('organizations')
    .select('time_zone as zone')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return zone;
}

/** All people of the organization, including those who left, because their shifts count. */
export async function listEverybody(db: Handle, organizationId: string): Promise<(Person & Sleeper)[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'time_zone as timeZone', 'sleep_from', 'sleep_until'])
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(({ sleep_from: from, sleep_until: until, ...person }) => ({
    ...person,
    sleep: sleepOf(from, until),
  }));
}

function sleepOf(from: number | null, until: number | null): Sleep | null {
  return from === null || until === null ? null : { from, until };
}
