import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { Language } from '../language/contract.ts';
import { languageOf } from '../people/store.ts';
import type { Answered } from './inbound/ports.ts';
import type { ReceiptState } from './inbound/receipt.ts';
import { awaitsSql } from './store.ts';

export type DeliveryFacts = {
  deliveryId: string;
  pageId: string;
  organizationId: string;
  userId: string;
  userName: string;
  language: Language;
  title: string;
};

/** The language of the person to whom the delivery was sent, or to whom the number belongs; English for others. */
export async function languageOfAnswer(db: Handle, answered: Answered): Promise<Language> {
  const { rows } = await ('phone' in answered
    ? sql<{ language: Language }>`
        select ${languageOf('u')} as language from contact_methods m join users u on u.id = m.user_id
        where m.type = 'phone' and m.value = ${answered.phone} and m.verified_at is not null and u.disabled_at is null
        order by m.verified_at desc limit 1`.execute(db)
    : sql<{ language: Language }>`
        select ${languageOf('u')} as language from deliveries d join users u on u.id = d.user_id
        where d.id = ${answered.deliveryId}`.execute(db));
  return rows[0]?.language ?? 'en';
}

/** A delivery; null when its person was disabled after it was created. */
export async function findDelivery(db: Handle, deliveryId: string): Promise<DeliveryFacts | null> {
  const row = await facts(db)
    .where('d.id', '=', deliveryId)
    // Deliveries that were created before the person's access changed do not give access.
    .where(sql<boolean>`(u.access_since is null or d.created_at > u.access_since)`)
    .executeTakeFirst();
  return row ?? null;
}

/** The page that was sent to this number with this code: an open one first, otherwise the newest. */
export async function findDeliveryByCode(
  db: Handle,
  phone: string,
  code: string,
): Promise<DeliveryFacts | null> {
  const row = await sentToPhone(db, phone)
    .where('p.reply_code', '=', code)
    .orderBy(sql`p.state = 'notifying'`, 'desc')
    .orderBy('d.id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export type OpenPageOfPhone = DeliveryFacts & { code: string; sentAt: Temporal.Instant };

/** Whether the page of a delivery still waits for an answer of its person. */
const AWAITED = awaitsSql(sql`d.responder_id`);

/** Up to ten pages that were sent to this number and wait for an answer, newest first. */
export async function openPagesOfPhone(db: Handle, phone: string): Promise<OpenPageOfPhone[]> {
  const { rows } = await sql<OpenPageOfPhone>`
    select * from (
      select distinct on ("pageId") * from (${sentToPhone(db, phone).where(AWAITED)}) sent
      order by "pageId", "sentAt" desc) pages
    order by "sentAt" desc, "pageId" desc limit 10`.execute(db);
  return rows;
}

/**
 * The messages and calls to a phone number, including bundled ones. The number must still be a verified contact method of
 * that person, because it may belong to somebody else by now.
 */
function sentToPhone(db: Handle, phone: string) {
  return facts(db)
    .leftJoin('deliveries as carrier', 'carrier.id', 'd.bundled_into')
    .select(['p.reply_code as code'])
    .select(sql<Temporal.Instant>`coalesce(d.sent_at, carrier.sent_at)`.as('sentAt'))
    .where('d.address', '=', phone)
    .where('d.channel', 'in', ['sms', 'voice'])
    .where(sql<boolean>`coalesce(d.sent_at, carrier.sent_at) is not null`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('contact_methods as m')
          .select('m.id')
          .whereRef('m.user_id', '=', 'd.user_id')
          .where('m.type', '=', 'phone')
          .where('m.value', '=', phone)
          .where('m.verified_at', 'is not', null),
      ),
    );
}

function facts(db: Handle) {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('pages as p', 'p.id', 'd.page_id')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .where('u.disabled_at', 'is', null)
    .select([
      'd.id as deliveryId',
      'd.page_id as pageId',
      'd.organization_id as organizationId',
      'd.user_id as userId',
      'u.name as userName',
      languageOf('u').as('language'),
      'p.title',
    ]);
}

/** The people of an organization with this chat account as a verified contact method, including disabled ones. */
export async function findChatUsers(
  db: Handle,
  organizationId: string,
  chatUserId: string,
): Promise<{ id: string; name: string; disabled: boolean }[]> {
  return await db
    .selectFrom('contact_methods as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', sql<boolean>`u.disabled_at is not null`.as('disabled')])
    .where('m.organization_id', '=', organizationId)
    .where('m.chat_user_id', '=', chatUserId)
    .where('m.verified_at', 'is not', null)
    .orderBy('u.id')
    .execute();
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
  /** Whether the provider's acceptance is recorded. */
  accepted: boolean;
  /** The provider's name for the accepted message; before that, for the message of the last receipt. */
  providerId: string | null;
};

/** A delivery that a receipt is about, locked until the transaction ends; null if there is none. */
export async function lockReceipted(tx: Tx, deliveryId: string): Promise<Receipted | null> {
  const row = await tx
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .forNoKeyUpdate()
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
    accepted: row.accepted_at !== null,
    providerId: row.provider_id,
  };
}

/** The id of the page of a delivery; null if there is none. */
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
  receipt: { state: ReceiptState | null; providerId: string; at: Temporal.Instant; error: string | null },
  change: 'delivered' | 'failed' | null,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({
      receipt: receipt.state,
      provider_id: sql<string>`case when accepted_at is null then ${receipt.providerId} else provider_id end`,
      receipt_at: receipt.at,
      ...(receipt.error === null ? {} : { error: receipt.error }),
      ...(change === null ? {} : { state: change, finished_at: receipt.at }),
    })
    .where('id', '=', deliveryId)
    .execute();
}

/** Whether an answer to this delivery has escalated the page. */
export async function escalatedBy(db: Handle, pageId: string, deliveryId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from page_events where page_id = ${pageId} and kind = 'escalated' and data->>'delivery_id' = ${deliveryId}) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

/**
 * Claims the id of an answer for this transaction. Null when the id is new, otherwise the first reply. Another transaction
 * that claims the same id waits until this one ends.
 */
export async function claimInboundAnswer(
  tx: Tx,
  at: Temporal.Instant,
  id: Buffer,
): Promise<{ reply: unknown } | null> {
  const claimed = await tx
    .insertInto('inbound_answers')
    .values({ id, answered_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (claimed) return null;
  const { reply } = await tx
    .selectFrom('inbound_answers')
    .select('reply')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { reply: reply === null ? null : JSON.parse(reply) };
}

export async function keepInboundReply(tx: Tx, id: Buffer, reply: object): Promise<void> {
  await tx
    .updateTable('inbound_answers')
    .set({ reply: JSON.stringify(reply) })
    .where('id', '=', id)
    .execute();
}

/** Deletes answers older than 400 days, at most `limit`. Returns their number. */
export async function forgetInboundAnswers(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from inbound_answers where id in (
      select id from inbound_answers where answered_at < ${clock.sql} - interval '400 days'
      order by answered_at limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
