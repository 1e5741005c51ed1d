import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Interval } from '../kit/interval.ts';
import { personJson } from '../people/person-store.ts';
import type { OverrideShown } from './api-contract.ts';

export type StoredOverride = Interval & {
  id: string;
  stage: number;
  userId: string;
  origin: OverrideShown['origin'];
  createdBy: string | null;
};

export async function findOverride(
  db: Handle,
  scheduleId: string,
  id: string,
): Promise<StoredOverride | null> {
  const { rows } = await sql<StoredOverride>`
    select id, stage, user_id as "userId", origin, created_by as "createdBy",
      ceil(extract(epoch from starts_at) * 1000)::float8 as "from",
      ceil(extract(epoch from ends_at) * 1000)::float8 as "to"
    from overrides where schedule_id = ${scheduleId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Ends an override at `at`, or deletes it if it has not begun. */
export async function endOverride(tx: Tx, at: Temporal.Instant, id: string): Promise<void> {
  await sql`delete from overrides where id = ${id} and starts_at >= ${at}`.execute(tx);
  await sql`update overrides set ends_at = ${at} where id = ${id} and ends_at > ${at}`.execute(tx);
}

/** Overrides of a schedule within a span, or one by id, sorted by start; at most 1,000. */
export async function listOverrides(
  db: Handle,
  scheduleId: string,
  { from, to, id }: { from: Temporal.Instant | null; to: Temporal.Instant | null; id: string | null },
): Promise<Omit<OverrideShown, 'may_delete'>[]> {
  const { rows } = await sql<Omit<OverrideShown, 'may_delete'>>`
    select o.id, o.stage, o.seat, ${personJson('u')} as user, ${utcText('o.starts_at')} as starts_at,
      ${utcText('o.ends_at')} as ends_at, o.origin, ${personJson('c')} as created_by, ${utcText('o.created_at')} as created_at
    from overrides o join users u on u.id = o.user_id left join users c on c.id = o.created_by
    where o.schedule_id = ${scheduleId} and (${id}::text is null or o.id = ${id})
      and (${from}::timestamptz is null or o.ends_at > ${from})
      and (${to}::timestamptz is null or o.starts_at < ${to})
    order by o.starts_at, o.id limit 1000`.execute(db);
  return rows;
}
