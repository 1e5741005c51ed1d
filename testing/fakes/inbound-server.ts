import Fastify, { type FastifyPluginAsync } from 'fastify';
import { Fault } from '../../src/kit/fault.ts';
import type { Language } from '../../src/language/contract.ts';
import type { Notification } from '../../src/notifications/channels/channel.ts';
import type {
  AcknowledgeResult,
  Answered,
  EscalateResult,
  InboundPorts,
  Via,
} from '../../src/notifications/inbound/ports.ts';
import { advance, type Receipt, type ReceiptState } from '../../src/notifications/inbound/receipt.ts';

/** The service as callbacks see it; it records what they do. */
export type RecordedPorts = InboundPorts & {
  deliveries: Map<string, Notification>;
  states: Map<string, ReceiptState>;
  receipts: Receipt[];
  acknowledged: { answered: Answered; via: Via }[];
  escalated: { answered: { deliveryId: string; chatUserId?: string }; via: Via }[];
  /** The results of the next actions; stories change them. */
  acknowledgeResult: AcknowledgeResult;
  escalateResult: EscalateResult;
  /** The language of everybody who answers. */
  language: Language;
};

export function recordedPorts(...notifications: Notification[]): RecordedPorts {
  const ports: RecordedPorts = {
    deliveries: new Map(notifications.map((one) => [one.deliveryId, one])),
    states: new Map(),
    receipts: [],
    acknowledged: [],
    escalated: [],
    acknowledgeResult: { outcome: 'acknowledged', title: 'Disk full on db-1', by: 'Ada Lovelace' },
    escalateResult: {
      ...{ outcome: 'escalated', title: 'Disk full on db-1' },
      ...{ people: ['Grace Hopper'], again: false },
    },
    language: 'en',
    languageOf: async () => ports.language,
    async findDelivery(deliveryId) {
      const notification = ports.deliveries.get(deliveryId);
      return notification
        ? { deliveryId, pageId: notification.pageId, notification, address: 'somewhere' }
        : null;
    },
    async receipt(deliveryId, receipt) {
      ports.receipts.push(receipt);
      ports.states.set(deliveryId, advance(ports.states.get(deliveryId) ?? null, receipt.state));
    },
    async acknowledge(answered, via) {
      ports.acknowledged.push({ answered, via });
      return ports.acknowledgeResult;
    },
    async escalate(answered, via) {
      ports.escalated.push({ answered, via });
      return ports.escalateResult;
    },
  };
  return ports;
}

/** A server with one plugin of callbacks, on a free loopback port. */
export async function inboundServer(
  plugin: FastifyPluginAsync,
): Promise<{ url: string; stop(): Promise<void> }> {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Fault ? error.status : 500;
    return reply.code(status).send({ error: String(error) });
  });
  await app.register(plugin);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stop: () => app.close() };
}
