import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { type ActionResult, type ActionServices, acknowledgePage } from '../pages/actions.ts';
import { escalatePage } from '../pages/escalating.ts';
import { lockPage } from '../pages/store.ts';
import type { Means } from '../people/reachability.ts';
import { actOnce } from './act-once.ts';
import {
  type DeliveryFacts,
  escalatedBy,
  findChatUsers,
  findDelivery,
  findDeliveryByCode,
  languageOfAnswer,
  lockReceipted,
  noteReceipt,
  openPagesOfPhone,
  pageOfDelivery,
  type Receipted,
} from './answer-store.ts';
import type { Notification } from './channels/channel.ts';
import type { AcknowledgeResult, Answered, EscalateResult, InboundPorts } from './inbound/ports.ts';
import { advance, isFailure, type Receipt, type ReceiptState } from './inbound/receipt.ts';
import { failOver, failOverBundled, NOT_DELIVERED } from './outcomes.ts';
import { awaits } from './store.ts';

export type AnswerServices = ActionServices & {
  db: Database;
  clock: Clock;
  means: Means;
  log: Log;
  /** The notification of a delivery as it was sent. */
  readNotification(deliveryId: string): Promise<{ notification: Notification; address: string } | null>;
  /** Wakes the engine, because the next stage or channel may be due. */
  wake(): void;
};

/** Applies answers of people and receipts of providers to pages and deliveries. */
export function createAnswers(services: AnswerServices): InboundPorts {
  const { db } = services;
  return {
    async findDelivery(deliveryId) {
      const facts = await findDelivery(db, deliveryId);
      const sent = facts && (await services.readNotification(deliveryId));
      return sent ? { deliveryId, pageId: facts.pageId, ...sent } : null;
    },
    languageOf: (answered) =>
      languageOfAnswer(db, answered).catch((error: unknown) => {
        services.log.warn(
          { err: error },
          'could not read the language of a person who answered; English is used',
        );
        return 'en' as const;
      }),
    receipt: (deliveryId, receipt) => applyReceipt(services, deliveryId, receipt),
    acknowledge: (answered, via, answerId) =>
      actOnce<AcknowledgeResult>(services, answerId, async (inside, tx, at) => {
        const who = await whoAnswered(tx, at, answered);
        if (!who) return { outcome: 'unknown' };
        if ('choice' in who) return { outcome: 'choose', pages: who.choice };
        const result = await acknowledgePage(inside, who.pageId, { userId: who.userId, via });
        return acknowledgeResult(result, who);
      }),
    async escalate(answered, via, answerId) {
      const result = await actOnce<EscalateResult, AnswerServices>(services, answerId, async (inside, tx) => {
        const who = await whoHasDelivery(tx, answered);
        if (!who) return { outcome: 'unknown' };
        // A second, simultaneous press waits here, and then finds the escalation of the first.
        await lockPage(tx, who.pageId);
        if (await escalatedBy(tx, who.pageId, answered.deliveryId))
          return { outcome: 'already', title: who.title };
        const { deliveryId } = answered;
        const result = await escalatePage(inside, who.pageId, { userId: who.userId, via }, deliveryId);
        if (result.outcome === 'unchanged' && result.state === 'notifying')
          return { outcome: 'no_stages', title: who.title };
        if (result.outcome === 'unchanged' && result.state === 'acknowledged')
          return { outcome: 'acknowledged', title: who.title, by: result.by };
        if (result.outcome !== 'done') return { outcome: 'not_open', title: who.title };
        const { people, again } = result;
        return { outcome: 'escalated', title: who.title, people, again };
      });
      if (result.outcome === 'escalated') services.wake();
      return result;
    },
  };
}

async function whoAnswered(
  tx: Tx,
  at: Temporal.Instant,
  answered: Answered,
): Promise<DeliveryFacts | { choice: { code: string; title: string }[] } | null> {
  if (!('phone' in answered)) return whoHasDelivery(tx, answered);
  if (answered.code !== null) return findDeliveryByCode(tx, answered.phone, answered.code);
  const open = await openPagesOfPhone(tx, answered.phone);
  const hourAgo = at.subtract({ hours: 1 });
  const recent = open.filter(({ sentAt }) => Temporal.Instant.compare(sentAt, hourAgo) > 0);
  const [only, another] = recent;
  if (only && !another) return only;
  return open.length === 0 ? null : { choice: open.map(({ code, title }) => ({ code, title })) };
}

async function whoHasDelivery(
  tx: Tx,
  answered: { deliveryId: string; chatUserId?: string },
): Promise<DeliveryFacts | null> {
  const facts = await findDelivery(tx, answered.deliveryId);
  if (!facts || !answered.chatUserId) return facts;
  const [clicked, ...others] = await findChatUsers(tx, facts.organizationId, answered.chatUserId);
  // An unknown Slack user acts for the person to whom the message was sent.
  if (!clicked) return facts;
  const active = [clicked, ...others].find(({ disabled }) => !disabled);
  return active ? { ...facts, userId: active.id, userName: active.name } : null;
}

function acknowledgeResult(result: ActionResult, who: DeliveryFacts): AcknowledgeResult {
  if (result.outcome === 'unknown') return { outcome: 'unknown' };
  if (result.outcome === 'done') return { outcome: 'acknowledged', title: who.title, by: who.userName };
  const by = result.by === null ? {} : { by: result.by };
  return { outcome: result.state === 'acknowledged' ? 'already' : 'not_open', title: who.title, ...by };
}

/** Applies a receipt that changes the state. A message that was not delivered fails over to the next channel at once. */
async function applyReceipt(services: AnswerServices, deliveryId: string, receipt: Receipt): Promise<void> {
  const failed = await services.db.transaction().execute(async (tx) => {
    const pageId = await pageOfDelivery(tx, deliveryId);
    const page = pageId && (await lockPage(tx, pageId));
    const delivery = page && (await lockReceipted(tx, deliveryId));
    if (!page || !delivery) return false;
    const next = afterReceipt(delivery, receipt);
    if (next === delivery.receipt) return false;
    const at = await services.clock.now(tx);
    const change = receiptChange(delivery.state, next);
    await noteReceipt(tx, deliveryId, { ...receipt, state: next, at }, change);
    if (change !== 'failed') return false;
    await failOverBundled(tx, { deliveryId, userId: delivery.userId }, receipt.error ?? NOT_DELIVERED, at);
    if (await awaits(tx, page, delivery)) await failOver(tx, page, delivery, at);
    return true;
  });
  if (failed) services.wake();
}

/**
 * The state after a receipt. An attempt whose answer was lost may also have sent a message. If that message failed, the message of
 * the retry may still arrive. If it was delivered, the person was notified.
 */
function afterReceipt(
  { receipt, accepted, providerId }: Receipted,
  { state, ...its }: Receipt,
): ReceiptState | null {
  const isOther = providerId !== null && its.providerId !== providerId;
  if (isOther && accepted && isFailure(state)) return receipt;
  return advance(isOther && receipt && isFailure(receipt) ? null : receipt, state);
}

/** A receipt may arrive before the acceptance is recorded. `recordUndelivered` then applies it. */
function receiptChange(state: string, receipt: ReceiptState | null): 'delivered' | 'failed' | null {
  if (state !== 'accepted') return null;
  if (receipt && isFailure(receipt)) return 'failed';
  return receipt === 'delivered' || receipt === 'read' ? 'delivered' : null;
}
