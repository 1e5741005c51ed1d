import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { utf8Text } from '../kit/utf8.ts';
import type { ApiMoment, CustomMoment } from '../moments/contract.ts';
import { type Reading, readApiMoment, readCustomMoment } from '../moments/form.ts';
import { GROUP_BODY_LIMIT } from '../moments/integrations/adapter.ts';
import { API_FORM, adapterFor } from '../moments/integrations/registry.ts';
import type { Safety } from '../requests/accept.ts';
import type { RequestKind } from '../requests/contract.ts';
import { idempotencyProblems } from '../requests/idempotency.ts';
import { createCallAcceptor } from './accept.ts';
import { type ByteBudgets, createByteBudgets, REFUSED_BYTES } from './byte-budget.ts';
import { callOf, checkLength, noteCall, rawBody, requireJson, tokenOf, tooLarge } from './call.ts';
import { CUSTOM, INTEGRATION_PATH, MOMENT_PATH } from './contract.ts';
import type { WebhookHealth } from './health.ts';
import { unpackedBody } from './packed-body.ts';
import { recordRefusals } from './refusals.ts';
import { createMomentSchema, receiveWebhookSchema } from './schemas.ts';
import { requireSignature } from './signature.ts';
import type { WebhookTokens } from './tokens.ts';

export type MomentRouteServices = {
  db: Database;
  clock: Clock;
  keys: Keys;
  budgets: Budgets;
  tokens: WebhookTokens;
  /** Records refused calls. */
  health: WebhookHealth;
  /** Whether the disk is nearly full. */
  isLow(): boolean;
  /** The byte budgets for refused calls; `REFUSED_BYTES` by default. */
  refusedBytes?: ByteBudgets;
  refused?(organizationId: string): void;
  /** Called after new calls are committed, so that a worker processes them without waiting for its next poll. */
  wake: (kind: RequestKind) => void;
  safety?: Safety;
};

const FORM_BODY_LIMIT = 256 * 1_024;

/** POST /moment/:token in both of its forms, and POST /moment/:token/:integration (contract, section 5). */
export function momentRoutes(listener: FastifyInstance, services: MomentRouteServices): void {
  listener.register(async (scope) => {
    keepBodiesRaw(scope);
    scope.decorateRequest('webhookCall', null);
    const refusedBytes = services.refusedBytes ?? createByteBudgets(REFUSED_BYTES);
    recordRefusals(scope, { ...services, refusedBytes });
    const accept = createCallAcceptor(services.db, services.clock, services.wake, services.safety);

    scope.post(MOMENT_PATH, {
      schema: createMomentSchema,
      ...readByItself,
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
      ...readByItself,
      bodyLimit: GROUP_BODY_LIMIT,
      onRequest: (request, reply) => arriveAtIntegration(services, request, reply),
      async handler(request) {
        const { bodyLimit } = callOf(request);
        if (rawBody(request).length > bodyLimit) throw tooLarge(bodyLimit);
        requireSignature(request);
        requireText(request);
        return accept(request, rawBody(request), []);
      },
    });
  });
}

/** Signatures cover the bytes of the body, and a body that is not JSON must be stored and shown as well. */
function keepBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
}

/** The schemas only describe these routes; the handlers parse the raw body themselves. */
const readByItself = { validatorCompiler: () => () => true };

/**
 * A request with an Authorization header has the API form; the API key must belong to the organization of the token.
 */
async function arriveAtToken(
  services: MomentRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.headers.authorization === undefined) {
    await arriveAtWebhook(services, request, reply, CUSTOM);
    return checkLength(request, FORM_BODY_LIMIT);
  }
  await requireKey(services.keys, services.budgets, 'moments')(request, reply);
  const { keyId, organizationId } = credentialOf(request);
  const arrival = await services.tokens.resolve(tokenOf(request), organizationId);
  noteCall(request, { ...arrival, integration: API_FORM, credential: keyId, bodyLimit: FORM_BODY_LIMIT });
  checkLength(request, FORM_BODY_LIMIT);
}

async function arriveAtIntegration(
  services: MomentRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { integration } = request.params as { integration: string };
  await arriveAtWebhook(services, request, reply, integration);
  checkLength(request, callOf(request).bodyLimit);
}

async function arriveAtWebhook(
  { tokens, budgets }: MomentRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
  integration: string,
): Promise<void> {
  const arrival = await tokens.resolve(tokenOf(request));
  const { id, type } = arrival.webhook;
  const adapter = adapterFor(integration);
  if (!adapter || type !== integration) throw new Fault('not_found');
  budgets.spend(id, 'other');
  noteCall(request, { ...arrival, integration, credential: id, bodyLimit: adapter.bodyLimit });
  reply.header('cache-control', 'no-store');
}

/**
 * The body must be text, compressed or not, and is stored as received. A body that cannot be decompressed is accepted
 * here; it fails when the call is processed, and can be retried.
 */
function requireText(request: FastifyRequest): void {
  const { headers, bodyLimit } = callOf(request);
  const unpacked = unpackedBody(headers, rawBody(request), bodyLimit);
  if ('body' in unpacked) utf8Text(unpacked.body);
  else if (unpacked.tooLarge)
    throw new Fault('payload_too_large', [{ field: 'body', message: unpacked.problem }]);
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
