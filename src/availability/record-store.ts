import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Person } from '../people/contract.ts';
import type { Repeats } from './api-contract.ts';
import type { AvailabilityType } from './contract.ts';
import type { PersonRelation } from './policy.ts';
import { isHidden, shownName } from './shown-name-store.ts';

type Viewer = { organizationId: string; userId: string };

/** A person of the organization, and the viewer's relation to them. */
export type PersonSeen = Person & { relation: PersonRelation };

/** The relation of a user to the person of the column `id`. */
export function relationTo(userId: string, id: RawBuilder<unknown>): RawBuilder<PersonRelation> {
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
