import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { PersonRelation } from './policy.ts';
import type { AvailabilityRecord, AvailabilityRow } from './record.ts';
import { relationTo } from './record-store.ts';
import { shownName } from './shown-name-store.ts';

/** A row and the id that its record gets if it is new. */
export type RowWithId = AvailabilityRow & { id: string };

/** Inserts the records that do not exist yet and returns their ids. */
export async function insertMissing(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  given: readonly RowWithId[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into availabilities (id, organization_id, user_id, type, name, starts_at, ends_at, created_at, updated_at)
    select id, ${organizationId}, user_id, type, name, starts_at, ends_at, ${at}, ${at} from ${rowSet(given)}
    on conflict (user_id, type, name, starts_at, ends_at) do nothing
    returning id`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** An existing record; the times are ISO 8601 text in UTC. */
export type FoundRow = { id: string; createdAt: string; updatedAt: string };

/**
 * The existing records equal to the given rows, by the given id. The limit makes PostgreSQL look up each row in the
 * unique index; without it, a plain join scans the whole table.
 */
export async function findSame(
  db: Handle,
  organizationId: string,
  given: readonly RowWithId[],
): Promise<Map<string, FoundRow>> {
  const { rows } = await sql<FoundRow & { givenId: string }>`
    select given.id as "givenId", saved.id, ${isoText('saved.created_at')} as "createdAt",
      ${isoText('saved.updated_at')} as "updatedAt"
    from ${rowSet(given)}
    cross join lateral (
      select id, created_at, updated_at from availabilities
      where organization_id = ${organizationId} and user_id = given.user_id and type = given.type
        and name = given.name and starts_at = given.starts_at and ends_at = given.ends_at
      limit 1
    ) saved`.execute(db);
  return new Map(rows.map(({ givenId, ...found }) => [givenId, found]));
}

function rowSet(rows: readonly RowWithId[]): RawBuilder<unknown> {
  return sql`unnest(
      ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.userId)}::text[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.name)}::text[],
      ${rows.map((row) => row.startsAt)}::timestamptz[], ${rows.map((row) => row.endsAt)}::timestamptz[]
    ) as given(id, user_id, type, name, starts_at, ends_at)`;
}

function isoText(column: 'saved.created_at' | 'saved.updated_at'): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Deletes all records of the organization except these, and returns the deleted ones. */
export async function removeAllBut(
  db: Handle,
  organizationId: string,
  keptIds: readonly string[],
): Promise<AvailabilityRecord[]> {
  const { rows } = await sql<AvailabilityRecord>`
    delete from availabilities where organization_id = ${organizationId} and id <> all (${keptIds}::text[])
    returning id, user_id as "userId", type, ${shownName('availabilities', null)} as name, starts_at as "startsAt", ends_at as "endsAt",
      created_at as "createdAt", updated_at as "updatedAt"`.execute(db);
  return rows;
}

/** Why a person is absent, and until when. */
export type Away = { userId: string; availabilityId: string; name: string; until: Temporal.Instant };

/** Which of these people have a `hard_unavailable` record at `at`; of several records, the one that ends last. */
export async function awayAt(db: Handle, userIds: readonly string[], at: Temporal.Instant): Promise<Away[]> {
  const { rows } = await sql<Away>`
    select distinct on (user_id)
      user_id as "userId", id as "availabilityId", ${shownName('availabilities', null)} as name, ends_at as until
    from availabilities
    where user_id = any (${userIds}::text[]) and type = 'hard_unavailable'
      and starts_at <= ${at} and ends_at > ${at}
    order by user_id, ends_at desc, id`.execute(db);
  return rows;
}

/** A user to whom an upload refers. */
export type Person = {
  id: string;
  name: string;
  username: string;
  email: string;
  /** The uploader's relation to them. */
  relation: PersonRelation;
};

/**
 * The organization's users with these email addresses in any case, by the address as given. Disabled users do not
 * match. Rows are locked so that users cannot be deleted before the transaction ends.
 */
export async function findPeople(
  db: Handle,
  { organizationId, userId }: { organizationId: string; userId: string },
  emails: readonly string[],
): Promise<Map<string, Person>> {
  const { rows } = await sql<Person & { given: string }>`
    select given.email as given, person.id, person.name, person.username, person.email,
      ${relationTo(userId, sql`person.id`)} as relation
    from unnest(${emails}::text[]) as given(email)
    join users person on person.organization_id = ${organizationId}
      and lower(person.email) = lower(given.email) and person.disabled_at is null
    for key share of person`.execute(db);
  return new Map(rows.map(({ given, ...person }) => [given, person]));
}

/** A published shift that its person would miss, at least in part. */
export type ConflictingShift = {
  id: string;
  userId: string;
  scheduleId: string;
  scheduleName: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  /** The number of all such shifts, including those beyond the limit. */
  total: number;
};

export type Absence = { userId: string; startsAt: string; endsAt: string };

/** No shift is longer than this, which limits how far back to look. */
const LONGEST_SHIFT = { hours: 90 * 24 };

/**
 * Shifts of enabled schedules that overlap the absences of their people and are not over at `at`; the first `limit`, by
 * start. Reads each person's shifts once, however many absences there are.
 */
export async function conflictingShifts(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
  absences: readonly Absence[],
  limit: number,
): Promise<ConflictingShift[]> {
  if (absences.length === 0) return [];
  const { rows } = await sql<ConflictingShift>`
    with away as materialized (
      select user_id, range_agg(tstzrange(starts_at, ends_at)) as times
      from unnest(${listOf(absences.map(({ userId }) => userId))},
        ${listOf(absences.map(({ startsAt }) => startsAt))}::timestamptz[],
        ${listOf(absences.map(({ endsAt }) => endsAt))}::timestamptz[]) as given (user_id, starts_at, ends_at)
      where ends_at > ${at} group by user_id
    )
    select h.id, h.user_id as "userId", s.id as "scheduleId", s.name as "scheduleName", h.stage,
      h.starts_at as "startsAt", h.ends_at as "endsAt", (count(*) over ())::int as total
    from away cross join lateral (
      select * from shifts
      where user_id = away.user_id and starts_at > ${at.subtract(LONGEST_SHIFT)} and ends_at > ${at}
        and organization_id = ${organizationId}
        and away.times && tstzrange(starts_at, ends_at)
      offset 0
    ) h join schedules s on s.id = h.schedule_id and s.enabled
    order by h.starts_at, h.stage, h.seat, h.id limit ${limit}`.execute(db);
  return rows;
}

/** Joins ids and times, which contain no blanks: the driver is slow at quoting a hundred thousand items of an array. */
function listOf(items: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${items.join(' ')}, ' ')`;
}
