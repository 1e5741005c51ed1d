import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { utf8Text } from '../kit/utf8.ts';
import type { Adapter } from '../moments/integrations/adapter.ts';
import { adapterFor } from '../moments/integrations/registry.ts';
import type { Safety } from '../requests/accept.ts';
import type { RequestKind } from '../requests/contract.ts';
import { type AcceptCall, createCallAcceptor } from './accept.ts';
import { type ByteBudgets, createByteBudgets, REFUSED_BYTES } from './byte-budget.ts';
import { callOf, noteCall, rawBody, tokenOf, tooLarge } from './call.ts';
import type { WebhookHealth } from './health.ts';
import { unpackedBody } from './packed-body.ts';
import { recordRefusals } from './refusals.ts';
import { requireSignature } from './signature.ts';
import type { Door, WebhookTokens } from './tokens.ts';

/** The services that routes need to receive calls of webhooks and page sources. */
export type ReceivingServices = {
  db: Database;
  clock: Clock;
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
  /** Added to the answer to each call that is stored. */
  warnings?: readonly string[];
  /** The adapter of a type. Default: that of the integrations. */
  adapterOf?(type: string): Adapter | null;
};

/** Registers routes for calls in a scope that keeps their bodies raw and records refused calls. */
export function receiveCalls(
  listener: FastifyInstance,
  services: ReceivingServices,
  routes: (scope: FastifyInstance, accept: AcceptCall) => void,
): void {
  listener.register(async (scope) => {
    keepBodiesRaw(scope);
    scope.decorateRequest('webhookCall', null);
    const refusedBytes = services.refusedBytes ?? createByteBudgets(REFUSED_BYTES);
    recordRefusals(scope, { ...services, refusedBytes });
    const { db, clock, wake, safety, warnings = [] } = services;
    routes(scope, createCallAcceptor(db, clock, wake, { safety, warnings }));
  });
}

/** Signatures cover the bytes of the body, and a body that is not JSON must also be stored and shown. */
function keepBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
}

type Arriving = { door: Door; type: string; dryRun?: boolean; mayBeFirst?: boolean };

/** The schemas only describe these routes; the handlers parse the raw body themselves. */
export const READ_BY_HANDLER = { validatorCompiler: () => () => true };

/**
 * Finds the webhook of the token in the path. `dryRun`: the call is a dry run. `mayBeFirst`: a call beyond the rate
 * limit is not refused yet, and its `throttled` is set. @throws Fault 404 if there is none of this kind and type, 410
 * if it has expired, 429 if it is called too often
 */
export async function arriveAtWebhook(
  { tokens, budgets, adapterOf = adapterFor }: ReceivingServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { door, type: integration, dryRun = false, mayBeFirst = false }: Arriving,
): Promise<void> {
  const arrival = await tokens.resolve(tokenOf(request), door, { address: request.ip, unnoted: dryRun });
  const { id, type } = arrival.webhook;
  const adapter = adapterOf(integration);
  if (!adapter || type !== integration) throw new Fault('not_found');
  const throttled = budgets.refusal(id, door === 'page' ? 'pages' : 'other');
  if (throttled && !mayBeFirst) throw throttled;
  const { bodyLimit } = adapter;
  noteCall(request, { ...arrival, integration, credential: id, bodyLimit, dryRun, throttled });
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

/**
 * Checks the body of a call to an integration, which is read later.
 * @throws Fault 401, 413 or 400
 */
export function requireCall(request: FastifyRequest): void {
  const { bodyLimit } = callOf(request);
  if (rawBody(request).length > bodyLimit) throw tooLarge(bodyLimit);
  requireSignature(request);
  requireText(request);
}
