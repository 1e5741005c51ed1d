import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { WantedRecord } from './source-events.ts';
import type { SourceRow } from './sources-store.ts';

/** How many records were added, changed and removed. */
export type Followed = { added: number; changed: number; removed: number };

/**
 * Brings the records of a source in line with its calendar. A record keeps its id when its event moves; past records
 * stay as they are. An equal record that somebody entered is left alone.
 */
export async function followRecords(
  tx: Tx,
  at: Temporal.Instant,
  source: Pick<SourceRow, 'id' | 'organization_id' | 'user_id' | 'type'>,
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
  const removed = await sql`
    delete from availabilities record using availability_source_records link
    where link.source_id = ${source.id} and record.id = link.availability_id and record.ends_at > ${at}
      and not exists (select from ${wantedSet} where wanted.event = link.event)`.execute(tx);
  const changed = await sql`
    update availabilities record set type = ${source.type}, name = wanted.name, starts_at = wanted.starts_at,
      ends_at = wanted.ends_at, updated_at = ${at}
    from availability_source_records link, ${wantedSet}
    where link.source_id = ${source.id} and record.id = link.availability_id and wanted.event = link.event
      and (record.type, record.name, record.starts_at, record.ends_at)
        is distinct from (${source.type}, wanted.name, wanted.starts_at, wanted.ends_at)
      and not exists (
        select from availabilities same where same.user_id = record.user_id and same.type = ${source.type}
          and same.name = wanted.name and same.starts_at = wanted.starts_at and same.ends_at = wanted.ends_at)`.execute(
    tx,
  );
  const added = await sql`
    with fresh as (
      select wanted.* from ${wantedSet}
      where not exists (
        select from availability_source_records link where link.source_id = ${source.id} and link.event = wanted.event)
    ), inserted as (
      insert into availabilities (id, organization_id, user_id, type, name, starts_at, ends_at, created_at, updated_at)
      select id, ${source.organization_id}, ${source.user_id}, ${source.type}, name, starts_at, ends_at,
        ${at}::timestamptz, ${at}::timestamptz
      from fresh on conflict (user_id, type, name, starts_at, ends_at) do nothing
      returning id
    )
    insert into availability_source_records (source_id, event, availability_id)
    select ${source.id}, fresh.event, fresh.id from fresh join inserted on inserted.id = fresh.id`.execute(
    tx,
  );
  return {
    added: Number(added.numAffectedRows ?? 0),
    changed: Number(changed.numAffectedRows ?? 0),
    removed: Number(removed.numAffectedRows ?? 0),
  };
}

/** Deletes the records of a source that are not over. */
export async function removeRecords(tx: Tx, at: Temporal.Instant, sourceId: string): Promise<number> {
  const removed = await sql`
    delete from availabilities record using availability_source_records link
    where link.source_id = ${sourceId} and record.id = link.availability_id and record.ends_at > ${at}`.execute(
    tx,
  );
  return Number(removed.numAffectedRows ?? 0);
}
