import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { recordAudit } from '../people/audit-store.ts';
import { viewerOf } from '../sessions/contract.ts';
import type { CallCounts } from './call-contract.ts';
import { countUnrecorded } from './call-list-store.ts';
import { requeueAllFailed } from './call-store.ts';
import { mayRetry } from './policy.ts';

export type RetryApiServices = {
  db: Database;
  clock: Clock;
  /** There are webhook calls to handle. */
  wakeCalls(): void;
};

const CountQuery = Type.Object({ webhook: Type.Optional(Type.String({ maxLength: 100 })) });

/** All failed calls at once: how many there are, and reading them again. */
export function retryApiRoutes(api: FastifyInstance, services: RetryApiServices): void {
  const { db, clock } = services;
  const hidden = { hide: true } as const;

  api.get(
    '/notifications/counts',
    { schema: { ...hidden, querystring: CountQuery } },
    async (request): Promise<CallCounts> => {
      const { webhook } = request.query as { webhook?: string };
      return countUnrecorded(db, viewerOf(request).organizationId, webhook ?? null);
    },
  );

  api.post('/notifications/retry', { schema: hidden }, async (request) => {
    const { organizationId, userId, role } = viewerOf(request);
    const everyTeam = mayRetry(role, { member: false, manager: false });
    const retried = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const count = await requeueAllFailed(tx, at, organizationId, everyTeam ? null : userId);
      const entry = { action: 'notification.retry', subject: organizationId, data: { count } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return count;
    });
    services.wakeCalls();
    return { retried };
  });
}
