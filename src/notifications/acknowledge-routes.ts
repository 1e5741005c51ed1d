import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isDatabaseAway, isOutcomeUnknown } from '../db/away.ts';
import type { Tx } from '../db/database.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { isOpenedByPerson } from '../kit/opened-by-person.ts';
import { PLAIN_PAGE_HEADERS } from '../kit/plain-page.ts';
import type { Sealing } from '../kit/sealing.ts';
import { inLanguage } from '../language/ambient.ts';
import { t } from '../language/contract.ts';
import { type ActionServices, acknowledgePage } from '../pages/actions.ts';
import type { PageState } from '../pages/contract.ts';
import { isAddedSince } from '../pages/store.ts';
import { keepOutOfCaches, sendAcknowledgeAway } from './acknowledge-away.ts';
import {
  acknowledgedText,
  acknowledgeOutcomeView,
  acknowledgeView,
  outcomeSentence,
} from './acknowledge-view.ts';
import { actOnce } from './act-once.ts';
import { type DeliveryFacts, findDelivery } from './answer-store.ts';
import { readAcknowledgeToken } from './links.ts';
import { readPageSummary } from './page-summary.ts';

export type AcknowledgeServices = ActionServices & { sealing: Sealing; budgets: Budgets };

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/**
 * The signed link in every notification. GET only shows a button, because email scanners and chat previews follow links.
 * POST acknowledges the page as the person to whom the notification was sent.
 */
export function acknowledgeRoutes(listener: FastifyInstance, services: AcknowledgeServices): void {
  listener.route({
    method: 'GET',
    url: '/a/:token',
    schema: { hide: true, params: Params },
    onRequest: keepOutOfCaches,
    errorHandler: answerAway,
    handler: async (request, reply) => {
      const facts = await deliveryOf(request, services);
      const page = await readPageSummary(services.db, facts.pageId);
      if (wantsJson(request))
        return reply.send({ response: { page_id: page.id, title: page.title, state: page.state } });
      const isWaitedFor =
        page.state === 'notifying' ||
        (page.state === 'acknowledged' && (await isAddedSince(services.db, page, facts.userId)));
      return html(
        reply,
        inLanguage(facts.language, () => acknowledgeView(page, randomUUID(), isWaitedFor)),
      );
    },
  });
  listener.route({
    method: 'POST',
    url: '/a/:token',
    config: { forms: true },
    schema: { hide: true, params: Params },
    onRequest: keepOutOfCaches,
    errorHandler: answerAway,
    handler: async (request, answer) => {
      const facts = await deliveryOf(request, services);
      services.budgets.spend(facts.deliveryId, 'other');
      // The button on a push notification uses the same link; the timeline distinguishes the two.
      storing.add(request);
      const via = (request.query as { via?: unknown }).via === 'push' ? 'push' : 'link';
      const reply = await inLanguage(facts.language, () =>
        actOnce(services, answerIdOf(request), (inside, tx) => acknowledgeByLink(inside, tx, facts, via)),
      );
      if (wantsJson(request)) return answer.send({ response: reply });
      const page = await readPageSummary(services.db, facts.pageId);
      return html(
        answer,
        inLanguage(facts.language, () => acknowledgeOutcomeView(page, reply)),
      );
    },
  });
}

/** Requests that have begun to store an acknowledgement. If the database fails now, it may have been stored. */
const storing = new WeakSet<FastifyRequest>();

/** Shows people a page when the database is away. Programs get the JSON of all routes. */
function answerAway(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  if (!isDatabaseAway(error) || !isOpenedByPerson(request)) throw error;
  return sendAcknowledgeAway(request, reply, storing.has(request) && isOutcomeUnknown(error));
}

/** The JSON answer, which is stored so that a repeated request gets the same one. */
type LinkReply = {
  success: boolean;
  message: string;
  page_id: string;
  state: PageState;
  acknowledged_by: string | null;
};

async function acknowledgeByLink(
  inside: ActionServices,
  tx: Tx,
  facts: DeliveryFacts,
  via: 'push' | 'link',
): Promise<LinkReply> {
  const result = await acknowledgePage(inside, facts.pageId, { userId: facts.userId, via });
  if (result.outcome === 'unknown') throw notFound();
  const page = await readPageSummary(tx, facts.pageId);
  return {
    success: page.state === 'acknowledged',
    message: result.outcome === 'done' ? acknowledgedText() : outcomeSentence(page),
    page_id: page.id,
    state: page.state,
    acknowledged_by: page.acknowledgedBy,
  };
}

/**
 * The id of an answer through this link. Our page and our push notifications give each press of their button a name, so
 * that a person can answer again after the page was reopened. Without a name, a link acts once.
 */
function answerIdOf(request: FastifyRequest): string {
  const { token } = request.params as { token: string };
  const named = (request.body as { answer?: unknown } | undefined)?.answer;
  const name = typeof named === 'string' && /^[\w-]{1,64}$/.test(named) ? named : '';
  return `link ${token} ${name}`;
}

async function deliveryOf(request: FastifyRequest, services: AcknowledgeServices): Promise<DeliveryFacts> {
  const { token } = request.params as { token: string };
  const now = await services.clock.now(services.db);
  const read = readAcknowledgeToken(services.sealing, token, now);
  const facts = read && (await findDelivery(services.db, read.deliveryId));
  if (!facts) throw notFound();
  if (read.expired)
    throw new Fault('gone', [{ field: 'link', message: t('has expired; open the page in the dashboard') }]);
  return facts;
}

function notFound(): Fault {
  return new Fault('not_found', [
    { field: 'link', message: t('is not valid or was cut off; open the page in the dashboard') },
  ]);
}

function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.headers(PLAIN_PAGE_HEADERS).send(body);
}
