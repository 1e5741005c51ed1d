import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { type AuditEntry, recordAudit } from '../people/store.ts';
import { viewerOf } from '../sessions/contract.ts';
import { webhooksApi } from './api-contract.ts';
import { insertQueued } from './call-store.ts';
import { exampleCall } from './example-call.ts';
import { mayRetry } from './policy.ts';
import { findManagedWebhook } from './store.ts';
import { unknownWebhook } from './unknown-webhook.ts';

export type TestApiServices = {
  db: Database;
  clock: Clock;
  /** Wakes the worker, because there are webhook calls to process. */
  wakeCalls(): void;
};

/**
 * POST /api/webhooks/<id>/test queues a sample call as if the sender had made it. It shows that the settings are right
 * and what the moments look like, but not that the sender can reach this service.
 */
export function webhookTestRoutes(api: FastifyInstance, services: TestApiServices): void {
  const { db, clock } = services;
  route(api, webhooksApi.test, async (request, reply) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const webhook = await findManagedWebhook(db, clock, viewer, request.params.id, 'webhook');
    if (!webhook) throw unknownWebhook('webhook');
    if (!mayRetry(viewer.role, webhook.relation))
      throw new Fault('forbidden', [
        {
          field: 'webhook',
          message: t('belongs to another team; ask one of its members, an admin or an owner'),
        },
      ]);
    const id = newId('notification');
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const example = await exampleCall(webhook.type, webhook.settings, at);
      if (!example)
        throw new Fault('conflict', [
          {
            field: 'webhook',
            message: t('There is no example call for webhooks of the type {type}.', { type: webhook.type }),
          },
        ]);
      const call = { id, organizationId, webhookId: webhook.id, integration: webhook.type, ...example };
      await insertQueued(tx, at, call);
      const entry: AuditEntry = { action: 'webhook.test', subject: webhook.id, data: {} };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    services.wakeCalls();
    reply.code(202);
    return { notification_id: id };
  });
}
