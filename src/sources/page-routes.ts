import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { GROUP_BODY_LIMIT } from '../moments/integrations/adapter.ts';
import type { QueuedEnvelope } from '../requests/contract.ts';
import { idempotencyProblems } from '../requests/idempotency.ts';
import type { AcceptCall } from '../webhooks/accept.ts';
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
import { isDryRun } from './dry-run.ts';
import { type FirstEvents, LARGEST_FIRST_CALL } from './first-events.ts';
import { pageByIntegrationSchema, pageByTokenSchema } from './schemas.ts';
import type { Tries } from './try.ts';
import type { TriedCall } from './try-contract.ts';

/** Answers are written unchanged: a serializer for both kinds of them would validate each one first. */
const ROUTE = { ...READ_BY_HANDLER, serializerCompiler: () => JSON.stringify };

/** POST /page/:token and POST /page/:token/:type: how monitoring systems page (page sources, section 2). */
export function sourcePageRoutes(
  listener: FastifyInstance,
  { tries, firstEvents, ...given }: ReceivingServices & { tries: Tries; firstEvents: FirstEvents },
): void {
  const services = { ...given, adapterOf: sourceAdapter };
  receiveCalls(listener, services, (scope, accept) => {
    scope.post('/page/:token', {
      schema: pageByTokenSchema,
      ...ROUTE,
      bodyLimit: customPage.bodyLimit,
      async onRequest(request, reply) {
        const dryRun = isDryRun(request);
        const mayBeFirst = !dryRun && isSmall(request);
        await arriveAtWebhook(services, request, reply, { door: 'page', type: CUSTOM, dryRun, mayBeFirst });
        checkLength(request, customPage.bodyLimit);
      },
      handler: (request) => receive({ accept, tries, firstEvents }, request),
    });

    scope.post('/page/:token/:type', {
      schema: pageByIntegrationSchema,
      ...ROUTE,
      bodyLimit: GROUP_BODY_LIMIT,
      async onRequest(request, reply) {
        const { type } = request.params as { type: string };
        const dryRun = isDryRun(request);
        const mayBeFirst = !dryRun && isSmall(request);
        await arriveAtWebhook(services, request, reply, { door: 'page', type, dryRun, mayBeFirst });
        checkLength(request, callOf(request).bodyLimit);
      },
      handler: (request) => receive({ accept, tries, firstEvents }, request),
    });
  });
}

/** Whether the body is small enough to look for the first event of a dedup key in it. */
function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= LARGEST_FIRST_CALL;
}

/** Checks a received call, and stores it or returns the result of a dry run. */
async function receive(
  { accept, tries, firstEvents }: { accept: AcceptCall; tries: Tries; firstEvents: FirstEvents },
  request: FastifyRequest,
): Promise<QueuedEnvelope | TriedCall> {
  const call = callOf(request);
  const { webhook, headers, dryRun, throttled } = call;
  const warnings = webhook.type === CUSTOM ? requirePage(request) : [];
  if (webhook.type !== CUSTOM) requireCall(request);
  const body = rawBody(request);
  if (throttled) await firstEvents.admit(call, body, throttled);
  if (!dryRun) return accept(request, body, warnings);
  const tried = await tries.tryCall({ sourceId: webhook.id, headers, body });
  return { ...tried, warnings: [...warnings, ...tried.warnings] };
}

/** Checks a body of our own page form. Returns warnings about unknown fields. @throws Fault 400 with every problem */
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
