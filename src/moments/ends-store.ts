import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { type EndOfNone, followUpKey } from './recording.ts';
import type { FollowUpName } from './store.ts';

export type KnownEnd = FollowUpName & EndOfNone;

/** How long senders repeat calls that they could not deliver. */
const MEMORY = sql.lit('48 hours');

/** The stored ends of these keys, by `followUpKey`. */
export async function knownEnds(tx: Tx, names: readonly FollowUpName[]): Promise<Map<string, EndOfNone>> {
  const { rows } = await sql<KnownEnd>`
    select e.webhook_id as "webhookId", e.dedup_key as "dedupKey", e.ended_at as "endedAt", e.parts
    from (select distinct webhook_id, dedup_key from unnest(
      ${names.map(({ webhookId }) => webhookId)}::text[], ${names.map(({ dedupKey }) => dedupKey)}::text[]
    ) as given(webhook_id, dedup_key)) name
    join moment_ends e on e.webhook_id = name.webhook_id and e.dedup_key = name.dedup_key`.execute(tx);
  return new Map(rows.map((end) => [followUpKey(end.webhookId, end.dedupKey), end]));
}

/** Stores ends; for each key only the newest. */
export async function rememberEnds(tx: Tx, at: Temporal.Instant, ends: readonly KnownEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await sql`
    insert into moment_ends as known (webhook_id, dedup_key, ended_at, noted_at, parts)
    select "webhookId", "dedupKey", "endedAt", ${at}, parts
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb)
      as given("webhookId" text, "dedupKey" text, "endedAt" timestamptz, parts jsonb)
    order by "webhookId", "dedupKey"
    on conflict (webhook_id, dedup_key) do update
      set ended_at = greatest(known.ended_at, excluded.ended_at), noted_at = excluded.noted_at,
        parts = excluded.parts`.execute(tx);
}

/** Removes ends to which no late call can refer, at most `limit`; returns how many. */
export async function forgetEnds(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ webhook_id: string }>`
    delete from moment_ends where (webhook_id, dedup_key) in (
      select webhook_id, dedup_key from moment_ends
      where noted_at <= ${clock.sql} - ${MEMORY}::interval
      order by noted_at limit ${limit} for update skip locked)
    returning webhook_id`.execute(db);
  return rows.length;
}
