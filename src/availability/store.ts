import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Person } from '../people/contract.ts';
import { LONGEST_SHIFT } from '../schedules/longest-shift-contract.ts';
import type { Repeats } from './api-contract.ts';
import type { AvailabilityType } from './contract.ts';
import type { PersonRelation } from './policy.ts';
import type { AvailabilityRecord, AvailabilityRow } from './record.ts';

type Viewer = { organizationId: string; userId: string };

/** A person of the organization, and the viewer's relation to them. */
export type PersonSeen = Person & { relation: PersonRelation };

/** The relation of a user to the person of the column `id`. */
function relationTo(userId: string, id: RawBuilder<unknown>): RawBuilder<PersonRelation> {
  return sql<PersonRelation>`jsonb_build_object('self', ${id} = ${userId}, 'managed', exists (
    select from team_members theirs
    join team_members mine on mine.team_id = theirs.team_id and mine.user_id = ${userId} and mine.role = 'manager'
    where theirs.user_id = ${id}))`;
}

function peopleSeen({ organizationId, userId }: Viewer, where: RawBuilder<unknown>): RawBuilder<PersonSeen> {
  return sql<PersonSeen>`
    select u.id, u.name, u.email, ${relationTo(userId, sql`u.id`)} as relation
    from users u where u.organization_id = ${organizationId} and u.disabled_at is null ${where}
    order by lower(u.name), u.id`;
}

/** A person of the organization who is not disabled; null otherwise. */
export async function findPersonSeen(db: Handle, viewer: Viewer, id: string): Promise<PersonSeen | null> {
  const { rows } = await peopleSeen(viewer, sql`and u.id = ${id}`).execute(db);
  return rows[0] ?? null;
}

/** Members of a team and of its schedules, by name. */
export async function listTeamSeen(db: Handle, viewer: Viewer, teamId: string): Promise<PersonSeen[]> {
  const { rows } = await peopleSeen(
    viewer,
    sql`and u.id in (
      select user_id from team_members where team_id = ${teamId}
      union select m.user_id from stage_members m join schedules s on s.id = m.schedule_id where s.team_id = ${teamId})`,
  ).execute(db);
  return rows;
}

export type StoredRecord = {
  id: string;
  userId: string;
  type: AvailabilityType;
  /** As the viewer may see it. */
  name: string;
  private: boolean;
  /** Whether the name is hidden from the viewer. */
  hidden: boolean;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  /** The calendar from which it was read; null if it was entered. */
  source: { id: string; name: string } | null;
  /** Null if it does not repeat. */
  repeats: Repeats | null;
};

/** How the record `a` repeats, as `Repeats`; null if it does not. */
export function repeatsOf(): RawBuilder<Repeats | null> {
  return sql<Repeats | null>`(
    select jsonb_build_object('id', s.id, 'rrule', s.recurrence, 'zone', s.zone, 'starts_at', ${utcText('s.first_starts_at')},
      'ends_at', ${utcText('s.first_ends_at')}, 'until', ${utcText('s.repeats_until')})
    from availability_source_records r join availability_sources s on s.id = r.source_id
    where r.availability_id = a.id and s.recurrence is not null limit 1)`;
}

const recordOf = (viewerId: string) => sql`
  a.id, a.user_id as "userId", a.type, ${shownName('a', viewerId)} as name, a.private,
  ${isHidden('a', viewerId)} as hidden, a.starts_at as "startsAt", a.ends_at as "endsAt",
  (select jsonb_build_object('id', s.id, 'name', case when ${isHidden('a', viewerId)} then '' else s.name end)
    from availability_source_records r join availability_sources s on s.id = r.source_id
    where r.availability_id = a.id and s.recurrence is null limit 1) as source,
  ${repeatsOf()} as repeats`;

/** Records of these people that overlap a time, by start. */
export async function listRecords(
  db: Handle,
  viewer: Viewer,
  userIds: readonly string[],
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select ${recordOf(viewer.userId)} from availabilities a
    where a.user_id = any(${userIds}::text[]) and a.ends_at > ${from} and a.starts_at < ${to}
    order by a.starts_at, a.id`.execute(db);
  return rows;
}

/** A record of the organization, locked until the transaction ends; null if there is none. */
export async function lockRecord(tx: Tx, viewer: Viewer, id: string): Promise<StoredRecord | null> {
  const { rows } = await sql<StoredRecord>`
    select ${recordOf(viewer.userId)} from availabilities a where a.organization_id = ${viewer.organizationId} and a.id = ${id}
    for update`.execute(tx);
  return rows[0] ?? null;
}

/** Locks the repeating absence of which a record is one time, as its duty does before it changes records. */
export async function lockSeriesOf(tx: Tx, organizationId: string, recordId: string): Promise<void> {
  await sql`
    select from availability_sources s where s.organization_id = ${organizationId} and s.recurrence is not null
      and s.id in (select source_id from availability_source_records where availability_id = ${recordId})
    for update`.execute(tx);
}

/** The values after a change. `name` null: the stored one, which the viewer may not see. */
export type RecordChange = Pick<
  StoredRecord,
  'id' | 'userId' | 'type' | 'startsAt' | 'endsAt' | 'private'
> & { name: string | null };

/** Returns false, and changes nothing, if the person already has an equal record. */
export async function updateRecord(
  tx: Tx,
  at: Temporal.Instant,
  { id, userId, type, name, startsAt, endsAt, private: isPrivate }: RecordChange,
): Promise<boolean> {
  const kept = sql`coalesce(${name}::text, availabilities.name)`;
  const { rows } = await sql`
    update availabilities set type = ${type}, name = ${kept}, starts_at = ${startsAt}, ends_at = ${endsAt},
      private = ${isPrivate}, updated_at = ${at}
    where id = ${id} and not exists (select from availabilities other where other.user_id = ${userId}
      and other.type = ${type} and other.name = ${kept} and other.starts_at = ${startsAt}
      and other.ends_at = ${endsAt} and other.id <> ${id})
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function makePrivate(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('availabilities').set({ private: true }).where('id', '=', id).execute();
}

/** The time of a repeating absence that ends next, locked; null if it has none that is not over. */
export async function lockNextOf(
  tx: Tx,
  at: Temporal.Instant,
  viewer: Viewer,
  seriesId: string,
): Promise<StoredRecord | null> {
  const { rows } = await sql<StoredRecord>`
    select ${recordOf(viewer.userId)} from availabilities a
    where a.ends_at > ${at} and exists (
      select from availability_source_records own where own.source_id = ${seriesId} and own.availability_id = a.id)
    order by a.starts_at, a.id limit 1 for update of a`.execute(tx);
  return rows[0] ?? null;
}

export async function deleteRecord(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('availabilities').where('id', '=', id).execute();
}

/**
 * The name of an availability record for a viewer: of a private one, everybody except its person sees “Away”, or
 * nothing if it is a preference. Everything that shows a name to people or programs uses this expression. `record`: the
 * alias of `availabilities`. `viewerId` null: for texts that everybody sees.
 */
export function shownName(record: string, viewerId: string | null): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql<string>`case when not ${isHidden(record, viewerId)} then ${column('name')}
    when ${column('type')} = 'hard_unavailable' then 'Away' else '' end`;
}

/** Whether the name of an availability record is hidden from a viewer. */
function isHidden(record: string, viewerId: string | null): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql<boolean>`(${column('private')} and ${column('user_id')} is distinct from ${viewerId}::text)`;
}

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

/**
 * Deletes all records of the organization except these, and returns the deleted ones. Records that follow a calendar or
 * a repeating entry stay: they would come back, and until then their people would count as available.
 */
export async function removeAllBut(
  db: Handle,
  organizationId: string,
  keptIds: readonly string[],
): Promise<AvailabilityRecord[]> {
  const { rows } = await sql<AvailabilityRecord>`
    delete from availabilities where organization_id = ${organizationId} and id <> all (${keptIds}::text[])
      and not exists (select from availability_source_records r where r.availability_id = availabilities.id)
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
export type FoundPerson = {
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
): Promise<Map<string, FoundPerson>> {
  const { rows } = await sql<FoundPerson & { given: string }>`
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
