import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { AvailabilityRecord } from './record.ts';

/** Inserts those that are not there yet and returns the ids of the inserted. */
export async function insertMissing(
  db: Handle,
  organizationId: string,
  records: readonly AvailabilityRecord[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into availabilities (id, organization_id, user_id, type, name, starts_at, ends_at, created_at, updated_at)
    select id, ${organizationId}, user_id, type, name, starts_at, ends_at, created_at, updated_at
    from unnest(
      ${records.map((record) => record.id)}::text[],
      ${records.map((record) => record.userId)}::text[],
      ${records.map((record) => record.type)}::text[],
      ${records.map((record) => record.name)}::text[],
      ${records.map((record) => record.startsAt)}::timestamptz[],
      ${records.map((record) => record.endsAt)}::timestamptz[],
      ${records.map((record) => record.createdAt)}::timestamptz[],
      ${records.map((record) => record.updatedAt)}::timestamptz[]
    ) as given(id, user_id, type, name, starts_at, ends_at, created_at, updated_at)
    on conflict (user_id, type, name, starts_at, ends_at) do nothing
    returning id`.execute(db);
  return new Set(rows.map((row) => row.id));
}

type FoundRecord = Pick<AvailabilityRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** The saved records equal to the given ones, by the id that the given one has. */
export async function findSame(
  db: Handle,
  organizationId: string,
  records: readonly AvailabilityRecord[],
): Promise<Map<string, FoundRecord>> {
  const { rows } = await sql<FoundRecord & { givenId: string }>`
    select given.id as "givenId", saved.id, saved.created_at as "createdAt", saved.updated_at as "updatedAt"
    from unnest(
      ${records.map((record) => record.id)}::text[],
      ${records.map((record) => record.userId)}::text[],
      ${records.map((record) => record.type)}::text[],
      ${records.map((record) => record.name)}::text[],
      ${records.map((record) => record.startsAt)}::timestamptz[],
      ${records.map((record) => record.endsAt)}::timestamptz[]
    ) as given(id, user_id, type, name, starts_at, ends_at)
    join availabilities saved on saved.organization_id = ${organizationId}
      and saved.user_id = given.user_id and saved.type = given.type and saved.name = given.name
      and saved.starts_at = given.starts_at and saved.ends_at = given.ends_at`.execute(db);
  return new Map(rows.map(({ givenId, ...found }) => [givenId, found]));
}

/** Removes all records of the organization but these, and returns what was removed. */
export async function removeAllBut(
  db: Handle,
  organizationId: string,
  keptIds: readonly string[],
): Promise<AvailabilityRecord[]> {
  const { rows } = await sql<AvailabilityRecord>`
    delete from availabilities where organization_id = ${organizationId} and id <> all (${keptIds}::text[])
    returning id, user_id as "userId", type, name, starts_at as "startsAt", ends_at as "endsAt",
      created_at as "createdAt", updated_at as "updatedAt"`.execute(db);
  return rows;
}

/** Why somebody is not available, and until when. */
export type Away = { userId: string; availabilityId: string; name: string; until: Temporal.Instant };

/** Who of these people has a `hard_unavailable` record covering `at`; of several the one that ends last. */
export async function awayAt(db: Handle, userIds: readonly string[], at: Temporal.Instant): Promise<Away[]> {
  const { rows } = await sql<Away>`
    select distinct on (user_id)
      user_id as "userId", id as "availabilityId", name, ends_at as until
    from availabilities
    where user_id = any (${userIds}::text[]) and type = 'hard_unavailable'
      and tstzrange(starts_at, ends_at) @> ${at}::timestamptz
    order by user_id, ends_at desc, id`.execute(db);
  return rows;
}

/** A user as far as uploads care. */
export type Person = { id: string; name: string; username: string; email: string };

/**
 * The organization's users with these email addresses in any case, by the address as it was given. Disabled users do
 * not match. Those found cannot be deleted until the transaction ends.
 */
export async function findPeople(
  db: Handle,
  organizationId: string,
  emails: readonly string[],
): Promise<Map<string, Person>> {
  const { rows } = await sql<Person & { given: string }>`
    select given.email as given, person.id, person.name, person.username, person.email
    from unnest(${emails}::text[]) as given(email)
    join users person on person.organization_id = ${organizationId}
      and lower(person.email) = lower(given.email) and person.disabled_at is null
    for key share of person`.execute(db);
  return new Map(rows.map(({ given, ...person }) => [given, person]));
}
