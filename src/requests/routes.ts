import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { idOf } from '../kit/path-id.ts';
import { PUBLISHED } from '../kit/published-contract.ts';
import { bodyWarnings, unknownFieldWarnings } from '../kit/validation.ts';
import { COMMON_REFUSALS, ErrorEnvelope, StatusEnvelope } from './contract.ts';
import { type Describe, statusOf } from './status.ts';
import { findRequest } from './store.ts';
import type { RequestWatch } from './watch.ts';

const MAX_WAIT_SECONDS = 30;

export type RequestRouteServices = {
  db: Database;
  keys: Keys;
  budgets: Budgets;
  watch: RequestWatch;
  describe: Describe;
};

const Params = Type.Object({
  id: Type.String({ description: 'The service_request_id that the request was answered with.' }),
});
const Query = Type.Object({
  wait: Type.Optional(
    Type.String({
      [PUBLISHED]: { type: 'number', minimum: 0, maximum: MAX_WAIT_SECONDS },
      description: `Seconds (0 to ${MAX_WAIT_SECONDS}) to hold the answer until the request has finished.`,
    }),
  ),
});

/** GET /request/:id/status (contract, section 5). */
export function requestRoutes(listener: FastifyInstance, services: RequestRouteServices): void {
  listener.route({
    method: 'GET',
    url: '/request/:id/status',
    schema: {
      tags: ['Requests'],
      operationId: 'requestStatus',
      summary: 'Check the status of a request',
      description:
        'Reports its progress and outcome, with every error so far and, for pages, every delivery.',
      security: [{ key: [] }],
      params: Params,
      querystring: Query,
      response: { 200: StatusEnvelope, ...COMMON_REFUSALS, 404: ErrorEnvelope },
    },
    onRequest: requireKey(services.keys, services.budgets, 'requests'),
    handler: (request) => readStatus(services, request),
  });
}

async function readStatus(services: RequestRouteServices, request: FastifyRequest): Promise<StatusEnvelope> {
  const { organizationId } = credentialOf(request);
  const id = idOf(request);
  const waitMs = readWait((request.query as { wait?: string }).wait);
  if (waitMs > 0) {
    const row = await findRequest(services.db, organizationId, id);
    if (row && !row.finishedAt) await services.watch.finished(id, waitMs, request.signal);
  }
  const status = await statusOf(services, organizationId, id);
  const warnings = [
    ...unknownFieldWarnings(request.query, Object.keys(Query.properties)),
    ...bodyWarnings(request.body),
  ];
  return warnings.length > 0 ? { ...status, warnings } : status;
}

function readWait(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = Number(text);
  // Some clients write small numbers as 1e-05.
  if (/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && seconds <= MAX_WAIT_SECONDS) return seconds * 1_000;
  throw new Fault('bad_request', [
    {
      field: 'wait',
      message: `is ${JSON.stringify(text.slice(0, 50))}; give a number of seconds from 0 to ${MAX_WAIT_SECONDS}`,
    },
  ]);
}
