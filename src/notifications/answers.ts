import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { type ActionResult, type ActionServices, acknowledgePage, escalatePage } from '../pages/actions.ts';
import { lockPage } from '../pages/store.ts';
import {
  type DeliveryFacts,
  escalatedBy,
  findChatUser,
  findDelivery,
  findDeliveryByPhone,
  lockReceipted,
  noteReceipt,
  pageOfDelivery,
} from './answer-store.ts';
import type { Notification } from './channels/channel.ts';
import type { AcknowledgeResult, Answered, EscalateResult, InboundPorts } from './inbound/ports.ts';
import { advance, isFailure, type Receipt } from './inbound/receipt.ts';
import { handOver } from './outcomes.ts';

export type AnswerServices = ActionServices & {
  db: Database;
  clock: Clock;
  /** The notification of a delivery as it was sent. */
  readNotification(deliveryId: string): Promise<{ notification: Notification; address: string } | null>;
  /** Something may be due now: the next stage, the next channel. */
  wake(): void;
};

/** What people and providers send back, applied to pages and deliveries. */
export function createAnswers(services: AnswerServices): InboundPorts {
  const { db } = services;
  return {
    async findDelivery(deliveryId) {
      const facts = await findDelivery(db, deliveryId);
      const sent = facts && (await services.readNotification(deliveryId));
      return sent ? { deliveryId, pageId: facts.pageId, ...sent } : null;
    },
    receipt: (deliveryId, receipt) => applyReceipt(services, deliveryId, receipt),
    async acknowledge(answered, via): Promise<AcknowledgeResult> {
      const who = await whoAnswered(db, answered);
      if (!who) return { outcome: 'unknown' };
      const result = await acknowledgePage(services, who.pageId, who.userId, via);
      return acknowledgeResult(result, who);
    },
    async escalate(answered, via): Promise<EscalateResult> {
      const who = await whoAnswered(db, answered);
      if (!who) return { outcome: 'unknown' };
      if (await escalatedBy(db, who.pageId, answered.deliveryId))
        return { outcome: 'already', title: who.title };
      const result = await escalatePage(services, who.pageId, who.userId, via, answered.deliveryId);
      services.wake();
      return { outcome: result.outcome === 'done' ? 'escalated' : 'not_open', title: who.title };
    },
  };
}

async function whoAnswered(
  db: Database,
  answered: Answered | { deliveryId: string; chatUserId?: string },
): Promise<DeliveryFacts | null> {
  if ('phone' in answered) return findDeliveryByPhone(db, answered.phone, answered.code);
  const facts = await findDelivery(db, answered.deliveryId);
  if (!facts || !('chatUserId' in answered) || !answered.chatUserId) return facts;
  // A colleague may press the button; one whom we do not know acts for the person it was sent to.
  const colleague = await findChatUser(db, facts.organizationId, answered.chatUserId);
  return colleague ? { ...facts, userId: colleague.id, userName: colleague.name } : facts;
}

function acknowledgeResult(result: ActionResult, who: DeliveryFacts): AcknowledgeResult {
  if (result.outcome === 'unknown') return { outcome: 'unknown' };
  if (result.outcome === 'done') return { outcome: 'acknowledged', title: who.title, by: who.userName };
  const by = result.by === null ? {} : { by: result.by };
  return { outcome: result.state === 'acknowledged' ? 'already' : 'not_open', title: who.title, ...by };
}

/** Only a change does anything; a message that did not arrive hands over to the next channel at once. */
async function applyReceipt(services: AnswerServices, deliveryId: string, receipt: Receipt): Promise<void> {
  const failed = await services.db.transaction().execute(async (tx) => {
    const pageId = await pageOfDelivery(tx, deliveryId);
    const page = pageId && (await lockPage(tx, pageId));
    const delivery = page && (await lockReceipted(tx, deliveryId));
    if (!page || !delivery) return false;
    const next = advance(delivery.receipt, receipt.state);
    if (next === delivery.receipt) return false;
    const at = await services.clock.now(tx);
    const change = receiptChange(delivery.state, next);
    await noteReceipt(tx, deliveryId, { state: next, at, error: receipt.error }, change);
    if (change !== 'failed' || page.state !== 'notifying') return false;
    await handOver(tx, page, delivery.responderId, delivery.userId, delivery.type, at);
    return true;
  });
  if (failed) services.wake();
}

/** A receipt may overtake our own note that the provider took the message over; then it waits for that. */
function receiptChange(state: string, receipt: Receipt['state']): 'delivered' | 'failed' | null {
  if (state !== 'accepted') return null;
  if (isFailure(receipt)) return 'failed';
  return receipt === 'delivered' || receipt === 'read' ? 'delivered' : null;
}
