import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';

/** Who was the first to bring a delivery of this number. */
export type FirstDelivery = {
  webhookId: string;
  deliveryId: string;
  notificationId: string;
  receivedAt: Temporal.Instant;
};

/** For how long senders repeat themselves: PagerDuty does so for 48 hours. */
const MEMORY = sql.lit('48 hours');

/**
 * Remembers deliveries and tells who was first with each number: whoever is remembered for less than 48 hours, else the
 * first of those given. A worker that does the same meanwhile waits, and then finds ours.
 */
export async function rememberDeliveries(
  tx: Tx,
  at: Temporal.Instant,
  deliveries: readonly FirstDelivery[],
): Promise<FirstDelivery[]> {
  const rows = sql`
    jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as given("webhookId" text collate "C",
      "deliveryId" text collate "C", "notificationId" text collate "C", "receivedAt" timestamptz)`;
  await sql`
    insert into webhook_deliveries as known (webhook_id, delivery_id, notification_id, received_at)
    select distinct on ("webhookId", "deliveryId") "webhookId", "deliveryId", "notificationId", "receivedAt"
    from ${rows} order by "webhookId", "deliveryId", "receivedAt", "notificationId"
    on conflict (webhook_id, delivery_id) do update
      set notification_id = excluded.notification_id, received_at = excluded.received_at
      where known.received_at <= ${at}::timestamptz - ${MEMORY}::interval`.execute(tx);
  const { rows: firsts } = await sql<FirstDelivery>`
    select distinct known.webhook_id as "webhookId", known.delivery_id as "deliveryId",
      known.notification_id as "notificationId", known.received_at as "receivedAt"
    from ${rows} join webhook_deliveries known
      on known.webhook_id = given."webhookId" and known.delivery_id = given."deliveryId"`.execute(tx);
  return firsts;
}

/** Forgets deliveries that nobody repeats any more, at most `limit`; returns how many. */
export async function forgetDeliveries(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_deliveries where (webhook_id, delivery_id) in (
      select webhook_id, delivery_id from webhook_deliveries
      where received_at <= ${clock.sql} - ${MEMORY}::interval
      order by received_at limit ${limit} for update skip locked)
    returning delivery_id as id`.execute(db);
  return rows.length;
}
