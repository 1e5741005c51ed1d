import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { GROUP_BODY_LIMIT } from '../moments/integrations/adapter.ts';
import { idempotencyProblems } from '../requests/idempotency.ts';
import { callOf, checkLength, rawBody } from '../webhooks/call.ts';
import { CUSTOM } from '../webhooks/contract.ts';
import { unpackedBody } from '../webhooks/packed-body.ts';
import {
  arriveAtWebhook,
  READ_BY_HANDLER,
  type ReceivingServices,
  receiveCalls,
  requireCall,
} from '../webhooks/receiving.ts';
import { requireSignature } from '../webhooks/signature.ts';
import { sourceAdapter } from './adapters.ts';
import { customPage } from './custom-adapter.ts';
import { readCustomPage } from './custom-body.ts';
import { pageByIntegrationSchema, pageByTokenSchema } from './schemas.ts';

/** POST /page/:token and POST /page/:token/:type: how monitoring systems page (page sources, section 2). */
export function sourcePageRoutes(listener: FastifyInstance, given: ReceivingServices): void {
  const services = { ...given, adapterOf: sourceAdapter };
  receiveCalls(listener, services, (scope, accept) => {
    scope.post('/page/:token', {
      schema: pageByTokenSchema,
      ...READ_BY_HANDLER,
      bodyLimit: customPage.bodyLimit,
      async onRequest(request, reply) {
        await arriveAtWebhook(services, request, reply, { door: 'page', type: CUSTOM });
        checkLength(request, customPage.bodyLimit);
      },
      handler: (request) => accept(request, rawBody(request), requirePage(request)),
    });

    scope.post('/page/:token/:type', {
      schema: pageByIntegrationSchema,
      ...READ_BY_HANDLER,
      bodyLimit: GROUP_BODY_LIMIT,
      async onRequest(request, reply) {
        const { type } = request.params as { type: string };
        await arriveAtWebhook(services, request, reply, { door: 'page', type });
        checkLength(request, callOf(request).bodyLimit);
      },
      async handler(request) {
        if (callOf(request).webhook.type === CUSTOM)
          return accept(request, rawBody(request), requirePage(request));
        requireCall(request);
        return accept(request, rawBody(request), []);
      },
    });
  });
}

/**
 * Checks a body of our own page form. Returns warnings about fields that were not understood.
 * @throws Fault 400 with everything that is wrong with it
 */
function requirePage(request: FastifyRequest): string[] {
  const { headers, now } = callOf(request);
  requireSignature(request);
  const unpacked = unpackedBody(headers, rawBody(request), customPage.bodyLimit);
  if ('problem' in unpacked)
    throw new Fault(unpacked.tooLarge ? 'payload_too_large' : 'bad_request', [
      { field: 'body', message: unpacked.problem },
    ]);
  const reading = readCustomPage({ headers, body: unpacked.body, receivedAt: now });
  const ofKey = idempotencyProblems(request.headers['idempotency-key']);
  const problems = 'problems' in reading ? [...reading.problems, ...ofKey] : ofKey;
  if (problems.length > 0) throw new Fault('bad_request', problems);
  return 'warnings' in reading ? reading.warnings : [];
}
