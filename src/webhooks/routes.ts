import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import { Fault } from '../kit/fault.ts';
import type { ApiMoment, CustomMoment } from '../moments/contract.ts';
import { type Reading, readApiMoment, readCustomMoment } from '../moments/form.ts';
import { GROUP_BODY_LIMIT } from '../moments/integrations/adapter.ts';
import { API_FORM } from '../moments/integrations/registry.ts';
import { idempotencyProblems } from '../requests/idempotency.ts';
import { callOf, checkLength, noteCall, rawBody, requireJson, tokenOf } from './call.ts';
import { CUSTOM, INTEGRATION_PATH, MOMENT_PATH } from './contract.ts';
import { unpackedBody } from './packed-body.ts';
import {
  arriveAtWebhook,
  READ_BY_HANDLER,
  type ReceivingServices,
  receiveCalls,
  requireCall,
} from './receiving.ts';
import { createMomentSchema, receiveWebhookSchema } from './schemas.ts';
import { requireSignature } from './signature.ts';

export type MomentRouteServices = ReceivingServices & { keys: Keys };

const FORM_BODY_LIMIT = 256 * 1_024;

/** POST /moment/:token in both of its forms, and POST /moment/:token/:integration (contract, section 5). */
export function momentRoutes(listener: FastifyInstance, services: MomentRouteServices): void {
  receiveCalls(listener, services, (scope, accept) => {
    scope.post(MOMENT_PATH, {
      schema: createMomentSchema,
      ...READ_BY_HANDLER,
      bodyLimit: FORM_BODY_LIMIT,
      onRequest: (request, reply) => arriveAtToken(services, request, reply),
      async handler(request) {
        const reading = readMoment(request);
        const ofKey = idempotencyProblems(request.headers['idempotency-key']);
        if ('problems' in reading) throw new Fault('bad_request', [...reading.problems, ...ofKey]);
        return accept(request, reading.moment, reading.warnings);
      },
    });

    scope.post(INTEGRATION_PATH, {
      schema: receiveWebhookSchema,
      ...READ_BY_HANDLER,
      bodyLimit: GROUP_BODY_LIMIT,
      onRequest: (request, reply) => arriveAtIntegration(services, request, reply),
      async handler(request) {
        requireCall(request);
        return accept(request, rawBody(request), []);
      },
    });
  });
}

/**
 * A request with an Authorization header has the API form; the API key must belong to the organization of the token.
 */
async function arriveAtToken(
  services: MomentRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.headers.authorization === undefined) {
    await arriveAtWebhook(services, request, reply, { door: 'moment', type: CUSTOM });
    return checkLength(request, FORM_BODY_LIMIT);
  }
  await requireKey(services.keys, services.budgets, 'moments')(request, reply);
  const { keyId, organizationId } = credentialOf(request);
  const arrival = await services.tokens.resolve(tokenOf(request), 'moment', {
    organizationId,
    address: request.ip,
  });
  noteCall(request, { ...arrival, integration: API_FORM, credential: keyId, bodyLimit: FORM_BODY_LIMIT });
  checkLength(request, FORM_BODY_LIMIT);
}

async function arriveAtIntegration(
  services: MomentRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { integration } = request.params as { integration: string };
  await arriveAtWebhook(services, request, reply, { door: 'moment', type: integration });
  checkLength(request, callOf(request).bodyLimit);
}

function readMoment(request: FastifyRequest): Reading<ApiMoment | CustomMoment> {
  const { integration, headers, now } = callOf(request);
  if (integration !== API_FORM) requireSignature(request);
  requireJson(request);
  const unpacked = unpackedBody(headers, rawBody(request), FORM_BODY_LIMIT);
  if ('problem' in unpacked && unpacked.tooLarge)
    throw new Fault('payload_too_large', [{ field: 'body', message: unpacked.problem }]);
  if ('problem' in unpacked) return { problems: [{ field: 'body', message: unpacked.problem }] };
  return integration === API_FORM ? readApiMoment(unpacked.body) : readCustomMoment(unpacked.body, now);
}
