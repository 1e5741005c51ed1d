import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Person } from './contract.ts';
import type { ClockChoice } from './person-contract.ts';

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
  const { rows } = await sql<Reader>`
    select id, name, time_zone as "timeZone" from users
    where organization_id = ${organizationId} and id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map((reader) => [reader.id, reader]));
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
