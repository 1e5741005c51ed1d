import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';

/** The first call with a given id of the sender's. */
export type FirstCall = {
  webhookId: string;
  senderCallId: string;
  callId: string;
  receivedAt: Temporal.Instant;
};

/** How long senders repeat a call; PagerDuty does so for 48 hours. */
const MEMORY = sql.lit('48 hours');

/**
 * Remembers calls by the sender's ids and returns the first call of each id: the one remembered within the last 48
 * hours, otherwise the first of those given. Concurrent workers wait for each other, and the later one finds the
 * earlier one's calls.
 */
export async function rememberCalls(
  tx: Tx,
  at: Temporal.Instant,
  calls: readonly FirstCall[],
): Promise<FirstCall[]> {
  const rows = sql`
    jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as given("webhookId" text collate "C",
      "senderCallId" text collate "C", "callId" text collate "C", "receivedAt" timestamptz)`;
  await sql`
    insert into webhook_deliveries as known (webhook_id, delivery_id, notification_id, received_at)
    select distinct on ("webhookId", "senderCallId") "webhookId", "senderCallId", "callId", "receivedAt"
    from ${rows} order by "webhookId", "senderCallId", "receivedAt", "callId"
    on conflict (webhook_id, delivery_id) do update
      set notification_id = excluded.notification_id, received_at = excluded.received_at
      where known.received_at <= ${at}::timestamptz - ${MEMORY}::interval`.execute(tx);
  const { rows: firsts } = await sql<FirstCall>`
    select distinct known.webhook_id as "webhookId", known.delivery_id as "senderCallId",
      known.notification_id as "callId", known.received_at as "receivedAt"
    from ${rows} join webhook_deliveries known
      on known.webhook_id = given."webhookId" and known.delivery_id = given."senderCallId"`.execute(tx);
  return firsts;
}

/** Deletes up to `limit` calls that senders no longer repeat. Returns how many were deleted. */
export async function forgetRememberedCalls(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_deliveries where (webhook_id, delivery_id) in (
      select webhook_id, delivery_id from webhook_deliveries
      where received_at <= ${clock.sql} - ${MEMORY}::interval
      order by received_at limit ${limit} for update skip locked)
    returning delivery_id as id`.execute(db);
  return rows.length;
}
