import type { Handle } from '../db/database.ts';
import type { Person } from '../people/contract.ts';
import type { Sleep } from '../people/persons/sleep.ts';
import type { Sleeper } from './interruptions.ts';

export type ScheduleScope = { id: string; name: string; teamId: string };

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
