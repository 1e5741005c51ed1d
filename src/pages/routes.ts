import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { type Finding, findingsToDetails, queryWarnings } from '../kit/validation.ts';
import { COMMON_REFUSALS, ErrorEnvelope, QueuedEnvelope } from '../requests/contract.ts';
import { idempotencyProblems, readIdempotency } from '../requests/idempotency.ts';
import { KeyBody, type PageBody, PersonPageBody, TeamPageBody, URGENCIES } from './contract.ts';
import type { PageKind, Raiser } from './raise.ts';

const JSON_LIMIT = 256 * 1024;

export type PageRouteServices = { keys: Keys; budgets: Budgets; raiser: Raiser };

const DESCRIPTIONS = {
  team: {
    operationId: 'pageTeam',
    summary: 'Page a team',
    description:
      "Notifies the team's on-calls for the current shift and escalates until somebody acknowledges.",
    body: TeamPageBody,
  },
  person: {
    operationId: 'pagePerson',
    summary: 'Page a person',
    description: 'Notifies that person directly, whatever rotations and availability say.',
    body: PersonPageBody,
  },
} as const;

/** POST /page/team and POST /page/person (contract, section 5). */
export function pageRoutes(listener: FastifyInstance, services: PageRouteServices): void {
  for (const kind of ['team', 'person'] as const) {
    const { body, ...words } = DESCRIPTIONS[kind];
    listener.route({
      method: 'POST',
      url: `/page/${kind}`,
      bodyLimit: JSON_LIMIT,
      attachValidation: true,
      schema: {
        tags: ['Pages'],
        ...words,
        body,
        security: [{ key: [] }],
        response: { 200: QueuedEnvelope, ...COMMON_REFUSALS, 409: ErrorEnvelope },
      },
      onRequest: requireKey(services.keys, services.budgets, 'pages'),
      preValidation: async (request) => tidyBody(request),
      handler: async (request) => withQueryWarnings(await raisePage(services, kind, request), request),
    });
  }
}

const ANSWERS = {
  acknowledge: {
    operationId: 'acknowledgePage',
    summary: 'Acknowledge a page by its dedup key',
    description: 'Acknowledges the open page of this dedup key and recipient, and stops its escalation.',
  },
  resolve: {
    operationId: 'resolvePage',
    summary: 'Resolve a page by its dedup key',
    description: 'Resolves the open page of this dedup key and recipient, and stops everything not yet sent.',
  },
} as const;

/** POST /page/acknowledge and POST /page/resolve, for pages that were raised with a dedup key. */
export function keyedPageRoutes(listener: FastifyInstance, services: PageRouteServices): void {
  for (const action of ['acknowledge', 'resolve'] as const)
    listener.route({
      method: 'POST',
      url: `/page/${action}`,
      bodyLimit: JSON_LIMIT,
      schema: {
        tags: ['Pages'],
        ...ANSWERS[action],
        body: KeyBody,
        security: [{ key: [] }],
        response: { 200: QueuedEnvelope, ...COMMON_REFUSALS, 409: ErrorEnvelope },
      },
      onRequest: requireKey(services.keys, services.budgets, 'pages'),
      async handler(request) {
        const { 'idempotency-key': key } = request.headers;
        const idempotency = readIdempotency(key, `/page/${action}`, request.body);
        const body = request.body as KeyBody;
        const envelope = await services.raiser.answer(action, body, credentialOf(request), idempotency);
        return withQueryWarnings(envelope, request);
      },
    });
}

/** Lists parameters that were sent in the query, where they have no effect. */
function withQueryWarnings(envelope: QueuedEnvelope, { query }: FastifyRequest): QueuedEnvelope {
  const ignored = queryWarnings(query);
  if (ignored.length === 0) return envelope;
  return { ...envelope, warnings: [...(envelope.warnings ?? []), ...ignored] };
}

async function raisePage(
  services: PageRouteServices,
  kind: PageKind,
  request: FastifyRequest,
): Promise<QueuedEnvelope> {
  const credential = credentialOf(request);
  try {
    await refuseInvalid(services, kind, request);
    const idempotency = readIdempotency(request.headers['idempotency-key'], `/page/${kind}`, request.body);
    return await services.raiser.raise(kind, request.body as PageBody, credential, idempotency);
  } catch (error) {
    if (error instanceof Fault && error.code === 'bad_request')
      await services.raiser.keepRefused(kind, request.body, credential, error);
    throw error;
  }
}

/** Reports every problem at once: invalid fields of the body, an invalid idempotency key, and an unreachable recipient. */
async function refuseInvalid(
  services: PageRouteServices,
  kind: PageKind,
  request: FastifyRequest,
): Promise<void> {
  const error = request.validationError as (FastifyError & { validation: Finding[] }) | undefined;
  const ofKey = idempotencyProblems(request.headers['idempotency-key']);
  if (!error && ofKey.length === 0) return;
  const details = error ? findingsToDetails(error.validation, 'body') : [];
  const { recipient } = request.body as { recipient?: unknown };
  const known = details.some(({ field }) => field === 'recipient');
  const more = known ? [] : await services.raiser.problemsOf(kind, recipient, credentialOf(request));
  throw new Fault('bad_request', [...details, ...more, ...ofKey]);
}

/** Many clients send null for missing values, which is treated as absent. Urgencies are accepted in any case. */
function tidyBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) {
    request.body = {};
    return;
  }
  if (typeof body !== 'object' || Array.isArray(body)) return;
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const { urgency } = given;
  const known = typeof urgency === 'string' && URGENCIES.find((one) => one === urgency.toLowerCase());
  request.body = known ? { ...given, urgency: known } : given;
}
