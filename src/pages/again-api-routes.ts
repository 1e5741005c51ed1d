import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { idOf } from '../kit/path-id.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type FormerPage, findFormerPage } from './again-store.ts';
import type { ComposeAnswer } from './compose-api-contract.ts';
import { findPageOfRequest } from './compose-store.ts';
import { credentialOf } from './credential-of.ts';
import type { Raiser } from './raise.ts';

export type AgainServices = { db: Database; raiser: Raiser };

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Raises a page that nobody answered once more: the same content for the same recipient, and the two are linked. */
export function againApiRoutes(api: FastifyInstance, { db, raiser }: AgainServices): void {
  api.post(
    '/pages/:id/again',
    { schema: { hide: true, params: Params } },
    async (request, reply): Promise<ComposeAnswer> => {
      const viewer = viewerOf(request);
      const id = idOf(request);
      const former = await findFormerPage(db, viewer.organizationId, id);
      if (!former)
        throw new Fault('not_found', [
          { field: 'page', message: 'is not a page of your organization; see /api/pages' },
        ]);
      refuseWhileOpen(former);
      const { kind, title, text, sourceUrl, urgency, recipient } = former;
      const body = { recipient, title, text, urgency, ...(sourceUrl ? { source_url: sourceUrl } : {}) };
      const idempotency = readIdempotency(request.headers['idempotency-key'], request.url, request.body);
      const credential = credentialOf(viewer);
      const { service_request_id } = await raiser.raise(kind, body, credential, idempotency, id);
      reply.code(201);
      return {
        page_id: await findPageOfRequest(db, viewer.organizationId, service_request_id),
        service_request_id,
      };
    },
  );
}

/** Two pages about the same thing at the same time would only confuse the people who are notified. */
function refuseWhileOpen({ state, again }: FormerPage): void {
  if (isOpen(state))
    throw new Fault('conflict', [
      { field: 'page', message: `is ${state}; escalate it or add people instead of paging again` },
    ]);
  if (again && isOpen(again.state))
    throw new Fault('conflict', [
      {
        field: 'page',
        message: `was paged again by ${again.by?.name ?? 'somebody'} already, as ${again.id}, which is ${again.state}`,
      },
    ]);
}

function isOpen(state: FormerPage['state']): boolean {
  return state === 'notifying' || state === 'acknowledged';
}
