import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Person } from './contract.ts';

/** A row of `users`, joined as `alias`, as the JSON of a `Person`; null if no row was joined. */
export function personJson(alias: string): RawBuilder<Person> {
  return sql.raw(
    `case when ${alias}.id is null then null
      else jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'email', ${alias}.email) end`,
  );
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
