import { type Selectable, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { AvailabilitySources } from '../db/schema.ts';
import { newId } from '../kit/typeid.ts';
import type { WantedRecord } from './source-events.ts';

export type SourceRow = Selectable<AvailabilitySources>;

/** A source as the dashboard lists it. */
export type ListedSource = SourceRow & {
  personName: string;
  personEmail: string;
  records: number;
};

/** The calendars of an organization, of one person or by id, oldest first; repeating absences are left out. */
export async function listSources(
  db: Handle,
  organizationId: string,
  { userId = null, id = null }: { userId?: string | null; id?: string | null },
): Promise<ListedSource[]> {
  const { rows } = await sql<ListedSource>`
    select source.*, users.name as "personName", users.email as "personEmail",
      (select count(*)::int from availability_source_records where source_id = source.id) as records
    from availability_sources source join users on users.id = source.user_id
    where source.organization_id = ${organizationId} and source.recurrence is null
      and (${userId}::text is null or source.user_id = ${userId})
      and (${id}::text is null or source.id = ${id})
    order by source.created_at, source.id`.execute(db);
  return rows;
}

/** Locks the row of a source until the transaction ends. */
export async function lockSource(tx: Tx, organizationId: string, id: string): Promise<SourceRow | null> {
  const row = await tx
    .selectFrom('availability_sources')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** How many calendars, or how many repeating absences, a person has. */
export async function countSources(
  db: Handle,
  userId: string,
  which: 'calendars' | 'repeating',
): Promise<number> {
  const { count } = await db
    .selectFrom('availability_sources')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('recurrence', which === 'calendars' ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

export type SourceValues = Pick<
  SourceRow,
  'name' | 'url_sealed' | 'host' | 'content' | 'type' | 'events' | 'words' | 'etag' | 'private'
>;

/** How a repeating absence is stored. */
export type SeriesValues = Pick<
  SourceRow,
  'recurrence' | 'zone' | 'first_starts_at' | 'first_ends_at' | 'repeats_until' | 'label' | 'skipped'
>;

export async function insertSource(
  tx: Tx,
  at: Temporal.Instant,
  source: SourceValues &
    Partial<SeriesValues> & { id: string; organization_id: string; user_id: string; created_by: string },
): Promise<void> {
  await tx
    .insertInto('availability_sources')
    .values({ ...source, next_check_at: at, created_at: at, updated_at: at })
    .execute();
}

/** Changes the values that are given. */
export async function updateSource(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  values: Partial<SourceValues & SeriesValues>,
): Promise<void> {
  await tx
    .updateTable('availability_sources')
    .set({ ...values, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Leases the source that has been due longest until `lease`; null if none is due. */
export async function claimDueSource(
  db: Handle,
  at: Temporal.Instant,
  lease: Temporal.Instant,
): Promise<SourceRow | null> {
  const { rows } = await sql<SourceRow>`
    update availability_sources set next_check_at = ${lease}
    where id = (
      select source.id from availability_sources source
      join users on users.id = source.user_id and users.disabled_at is null
      where source.next_check_at <= ${at} order by source.next_check_at limit 1 for update of source skip locked)
    returning *`.execute(db);
  return rows[0] ?? null;
}

/** Records the outcome of reading a source. */
export async function noteChecked(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  outcome:
    | { error: string; nextCheckAt: Temporal.Instant }
    | { error: null; nextCheckAt: Temporal.Instant; etag?: string | null; truncated?: boolean },
): Promise<void> {
  const { error, nextCheckAt } = outcome;
  if (error !== null) {
    await sql`
      update availability_sources set checked_at = ${at}, error = ${error}, failures = failures + 1,
        next_check_at = ${nextCheckAt}
      where id = ${id}`.execute(tx);
    return;
  }
  const read = outcome.etag === undefined ? {} : { etag: outcome.etag, read_at: at };
  await tx
    .updateTable('availability_sources')
    .set({
      ...{ checked_at: at, succeeded_at: at, error: null, failures: 0, next_check_at: nextCheckAt },
      ...read,
      ...(outcome.truncated === undefined ? {} : { truncated: outcome.truncated }),
    })
    .where('id', '=', id)
    .execute();
}

/** Deletes a source with its links to records; the records stay. */
export async function deleteSource(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('availability_sources').where('id', '=', id).execute();
}

/** The time zone of a person, and how many weeks ahead their organization plans. */
export async function readingTermsOf(
  db: Handle,
  userId: string,
): Promise<{ timeZone: string; weeksAhead: number }> {
  const { rows } = await sql<{ timeZone: string; weeksAhead: number }>`
    select time_zone as "timeZone",
      coalesce((select max(plan_ahead_weeks) from schedules where schedules.organization_id = users.organization_id), 0)
        as "weeksAhead"
    from users where id = ${userId}`.execute(db);
  return rows[0] ?? { timeZone: 'UTC', weeksAhead: 0 };
}

/** How many records were added, changed and removed. */
export type Followed = { added: number; changed: number; removed: number };

/**
 * Brings the records of a source in line with its calendar. A record keeps its id when its event moves, unless another one
 * had that time; past records stay as they are. An equal record that somebody entered is left alone.
 */
export async function followRecords(
  tx: Tx,
  at: Temporal.Instant,
  source: Pick<SourceRow, 'id' | 'organization_id' | 'user_id' | 'type' | 'private'>,
  wanted: readonly WantedRecord[],
): Promise<Followed> {
  const rows = JSON.stringify(
    wanted.map(({ event, name, startsAt, endsAt }) => ({
      ...{ id: newId('availability'), event, name },
      ...{ starts_at: startsAt.toString(), ends_at: endsAt.toString() },
    })),
  );
  const wantedSet = sql`jsonb_to_recordset(${rows}::jsonb) as wanted(id text, event text, name text, starts_at timestamptz,
    ends_at timestamptz)`;
  /** An equal record has the new time of this one: the person's own, or one that moves as well. */
  const isTaken = sql`exists (select from availabilities same
    where same.user_id = record.user_id and same.id <> record.id and same.type = ${source.type} and same.name = wanted.name
      and same.starts_at = wanted.starts_at and same.ends_at = wanted.ends_at)`;
  const removed = await sql`
    delete from availabilities record using availability_source_records link
    where link.source_id = ${source.id} and record.id = link.availability_id and record.ends_at > ${at}
      and not exists (select from ${wantedSet} where wanted.event = link.event and not ${isTaken})`.execute(
    tx,
  );
  const changed = await sql`
    update availabilities record set type = ${source.type}, name = wanted.name, starts_at = wanted.starts_at,
      ends_at = wanted.ends_at, updated_at = ${at}
    from availability_source_records link, ${wantedSet}
    where link.source_id = ${source.id} and record.id = link.availability_id and wanted.event = link.event
      and (record.type, record.name, record.starts_at, record.ends_at)
        is distinct from (${source.type}, wanted.name, wanted.starts_at, wanted.ends_at)
      and not ${isTaken}`.execute(tx);
  const added = await sql`
    with fresh as (
      select wanted.* from ${wantedSet}
      where not exists (
        select from availability_source_records link where link.source_id = ${source.id} and link.event = wanted.event)
    ), inserted as (
      insert into availabilities (id, organization_id, user_id, type, name, starts_at, ends_at, private,
        created_at, updated_at)
      select id, ${source.organization_id}, ${source.user_id}, ${source.type}, name, starts_at, ends_at, ${source.private},
        ${at}::timestamptz, ${at}::timestamptz
      from fresh on conflict (user_id, type, name, starts_at, ends_at) do nothing
      returning id
    )
    insert into availability_source_records (source_id, event, availability_id)
    select ${source.id}, fresh.event, fresh.id from fresh join inserted on inserted.id = fresh.id`.execute(
    tx,
  );
  await followPrivacy(tx, source);
  return {
    added: Number(added.numAffectedRows ?? 0),
    changed: Number(changed.numAffectedRows ?? 0),
    removed: Number(removed.numAffectedRows ?? 0),
  };
}

/** Makes all records of a source, including past ones, as private as it is. */
export async function followPrivacy(
  tx: Tx,
  { id, private: isPrivate }: Pick<SourceRow, 'id' | 'private'>,
): Promise<void> {
  await sql`
    update availabilities record set private = ${isPrivate} from availability_source_records link
    where link.source_id = ${id} and record.id = link.availability_id and record.private <> ${isPrivate}`.execute(
    tx,
  );
}

/** Deletes current and future records of a source. */
export async function removeRecords(tx: Tx, at: Temporal.Instant, sourceId: string): Promise<number> {
  const removed = await sql`
    delete from availabilities record using availability_source_records link
    where link.source_id = ${sourceId} and record.id = link.availability_id and record.ends_at > ${at}`.execute(
    tx,
  );
  return Number(removed.numAffectedRows ?? 0);
}
