import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { ReceiptState } from './inbound/receipt.ts';

export type DeliveryFacts = {
  deliveryId: string;
  pageId: string;
  organizationId: string;
  userId: string;
  userName: string;
  title: string;
};

export async function findDelivery(db: Handle, deliveryId: string): Promise<DeliveryFacts | null> {
  const row = await facts(db).where('d.id', '=', deliveryId).executeTakeFirst();
  return row ?? null;
}

/** The page that a text message answers: by its code, else the newest one still open that was sent to this number. */
export async function findDeliveryByPhone(
  db: Handle,
  phone: string,
  code: string | null,
): Promise<DeliveryFacts | null> {
  let query = facts(db)
    .where('d.address', '=', phone)
    .where('d.channel', 'in', ['sms', 'voice'])
    .where('d.sent_at', 'is not', null);
  query = code === null ? query.where('p.state', '=', 'notifying') : query.where('p.reply_code', '=', code);
  const row = await query
    .orderBy(sql`p.state = 'notifying'`, 'desc')
    .orderBy('d.id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

function facts(db: Handle) {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('pages as p', 'p.id', 'd.page_id')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .select([
      'd.id as deliveryId',
      'd.page_id as pageId',
      'd.organization_id as organizationId',
      'd.user_id as userId',
      'u.name as userName',
      'p.title',
    ]);
}

/** The organization user behind a chat account, if one of this organization has it. */
export async function findChatUser(
  db: Handle,
  organizationId: string,
  chatUserId: string,
): Promise<{ id: string; name: string } | null> {
  const row = await db
    .selectFrom('contact_methods as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name'])
    .where('m.organization_id', '=', organizationId)
    .where('m.chat_user_id', '=', chatUserId)
    .where('u.disabled_at', 'is', null)
    .orderBy('u.id')
    .executeTakeFirst();
  return row ?? null;
}

export type Receipted = {
  state: string;
  receipt: ReceiptState | null;
  attempts: number;
  failures: number;
  pageId: string;
  responderId: number;
  userId: string;
  channel: string;
  type: 'page.notification' | 'page.expired';
  providerId: string | null;
};

export async function lockReceipted(tx: Tx, deliveryId: string): Promise<Receipted | null> {
  const row = await tx
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return {
    state: row.state,
    receipt: row.receipt as ReceiptState | null,
    attempts: row.attempts,
    failures: row.failures,
    pageId: row.page_id,
    responderId: row.responder_id,
    userId: row.user_id,
    channel: row.channel,
    type: row.type,
    providerId: row.provider_id,
  };
}

export async function pageOfDelivery(tx: Tx, deliveryId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('deliveries')
    .select('page_id')
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  return row?.page_id ?? null;
}

export async function noteReceipt(
  tx: Tx,
  deliveryId: string,
  receipt: { state: ReceiptState; at: Temporal.Instant; error: string | null },
  change: 'delivered' | 'failed' | null,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({
      receipt: receipt.state,
      receipt_at: receipt.at,
      ...(receipt.error === null ? {} : { error: receipt.error }),
      ...(change === null ? {} : { state: change, finished_at: receipt.at }),
    })
    .where('id', '=', deliveryId)
    .execute();
}

export async function escalatedBy(db: Handle, pageId: string, deliveryId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from page_events where page_id = ${pageId} and kind = 'escalated' and data->>'delivery_id' = ${deliveryId}) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}
