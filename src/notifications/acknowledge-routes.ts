import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { PLAIN_PAGE_HEADERS } from '../kit/plain-page.ts';
import type { Sealing } from '../kit/sealing.ts';
import { type ActionServices, acknowledgePage } from '../pages/actions.ts';
import { acknowledgeOutcomeView, acknowledgeView } from './acknowledge-view.ts';
import { type DeliveryFacts, findDelivery } from './answer-store.ts';
import { readAcknowledgeToken } from './links.ts';
import { readPageSummary } from './page-summary.ts';

export type AcknowledgeServices = ActionServices & { db: Database; clock: Clock; sealing: Sealing };

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/**
 * The signed link of every notification. GET shows one button and changes nothing, because mail scanners and chat
 * previews follow links; POST acknowledges as the person whom the notification was sent to.
 */
export function acknowledgeRoutes(listener: FastifyInstance, services: AcknowledgeServices): void {
  listener.route({
    method: 'GET',
    url: '/a/:token',
    schema: { hide: true, params: Params },
    handler: async (request, reply) => {
      const facts = await deliveryOf(request, services);
      const page = await readPageSummary(services.db, facts.pageId);
      if (wantsJson(request))
        return reply.send({ response: { page_id: page.id, title: page.title, state: page.state } });
      return html(reply, acknowledgeView(page));
    },
  });
  listener.route({
    method: 'POST',
    url: '/a/:token',
    config: { forms: true },
    schema: { hide: true, params: Params },
    handler: async (request, reply) => {
      const facts = await deliveryOf(request, services);
      // The button on a push notification uses the same link; the timeline says which it was.
      const via = (request.query as { via?: unknown }).via === 'push' ? 'push' : 'link';
      const result = await acknowledgePage(services, facts.pageId, facts.userId, via);
      if (result.outcome === 'unknown') throw notFound();
      const page = await readPageSummary(services.db, facts.pageId);
      const acknowledged = page.state === 'acknowledged';
      const { message } = acknowledgeOutcomeView(page, result.outcome === 'done');
      if (wantsJson(request)) {
        return reply.send({
          response: {
            success: acknowledged,
            message,
            page_id: page.id,
            state: page.state,
            acknowledged_by: page.acknowledgedBy,
          },
        });
      }
      return html(reply, acknowledgeOutcomeView(page, result.outcome === 'done').body);
    },
  });
}

async function deliveryOf(request: FastifyRequest, services: AcknowledgeServices): Promise<DeliveryFacts> {
  const { token } = request.params as { token: string };
  const now = await services.clock.now(services.db);
  const read = readAcknowledgeToken(services.sealing, token, now);
  const facts = read && (await findDelivery(services.db, read.deliveryId));
  if (!facts) throw notFound();
  if (read.expired)
    throw new Fault('gone', [{ field: 'link', message: 'has expired; open the page in the dashboard' }]);
  return facts;
}

function notFound(): Fault {
  return new Fault('not_found', [
    { field: 'link', message: 'is not one of ours, or was cut off; open the page in the dashboard' },
  ]);
}

function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.headers(PLAIN_PAGE_HEADERS).send(body);
}
