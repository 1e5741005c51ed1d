import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Budgets } from '../keys/budget.ts';
import { route } from '../kit/route.ts';
import { USUAL_BODY_LIMIT } from '../moments/integrations/adapter.ts';
import { viewerOf } from '../sessions/contract.ts';
import { findManagedWebhook } from '../webhooks/store.ts';
import { unknownWebhook } from '../webhooks/unknown-webhook.ts';
import { attemptOf } from './attempt.ts';
import type { Tries } from './try.ts';
import { tryApi } from './try-contract.ts';

type Services = { db: Database; clock: Clock; budgets: Budgets; tries: Tries };

/** The dashboard's route for dry runs of a source's calls. */
export function tryRoutes(api: FastifyInstance, { db, clock, budgets, tries }: Services): void {
  route(
    api,
    tryApi.tryCall,
    async (request) => {
      const viewer = viewerOf(request);
      const { id } = request.params;
      budgets.spend(`try ${viewer.userId}`, 'other');
      if (!(await findManagedWebhook(db, clock, viewer, id, 'source'))) throw unknownWebhook('source');
      const { settings, ...given } = request.body;
      const attempt = await attemptOf(db, viewer, id, given);
      return tries.tryCall({ ...attempt, ...(settings ? { settings } : {}) });
    },
    { bodyLimit: USUAL_BODY_LIMIT },
  );
}
