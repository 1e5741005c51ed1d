import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { viewerOf } from '../sessions/contract.ts';
import { composeApi } from './compose-api-contract.ts';
import { credentialOf } from './credential-of.ts';
import { unknownPage } from './page-detail.ts';
import { isState } from './page-state-text.ts';
import type { Raiser } from './raise.ts';
import { type FormerPage, findFormerPage, findPageOfRequest } from './read-store.ts';
import { holdAgain } from './store.ts';

export type AgainServices = { db: Database; raiser: Raiser };

/** Raises an unanswered page again, with the same content for the same recipient, and links the two pages. */
export function againApiRoutes(api: FastifyInstance, { db, raiser }: AgainServices): void {
  route(api, composeApi.again, async (request, reply) => {
    const viewer = viewerOf(request);
    const id = request.params.id;
    const idempotency = readIdempotency(request.headers['idempotency-key'], request.url, request.body);
    return db.transaction().execute(async (tx) => {
      await holdAgain(tx, id);
      const former = await findFormerPage(tx, viewer.organizationId, id);
      if (!former) throw unknownPage();
      refuseWhileOpen(former);
      const { kind, title, text, sourceUrl, urgency, drill, recipient, again } = former;
      // Two simultaneous pages about the same thing would only confuse the people who are notified.
      if (again && isOpen(again.state))
        return {
          page_id: again.id,
          service_request_id: again.requestId,
          paged_again_by: { name: again.by?.name ?? 'Somebody' },
        };
      const body = {
        recipient,
        title,
        text,
        urgency,
        drill,
        ...(sourceUrl ? { source_url: sourceUrl } : {}),
      };
      const { service_request_id } = await raiser.raise(kind, body, credentialOf(viewer), idempotency, id);
      reply.code(201);
      return {
        page_id: await findPageOfRequest(tx, viewer.organizationId, service_request_id),
        service_request_id,
        paged_again_by: null,
      };
    });
  });
}

function refuseWhileOpen({ state }: FormerPage): void {
  if (isOpen(state))
    throw new Fault('conflict', [
      {
        field: 'page',
        message: t('{isState}; escalate it or add people instead of paging again', {
          isState: isState(state),
        }),
      },
    ]);
}

function isOpen(state: FormerPage['state']): boolean {
  return state === 'notifying' || state === 'acknowledged';
}
