import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { ErrorEnvelope, StatusEnvelope } from './contract.ts';
import { findRequest, type RequestRow } from './store.ts';
import type { RequestWatch } from './watch.ts';

const MAX_WAIT_SECONDS = 30;

export type RequestRouteServices = {
  db: Database;
  keys: Keys;
  budgets: Budgets;
  watch: RequestWatch;
  /** What came of a request, by its kind: `{page}` or `{moments}`. The composition root asks the room that knows. */
  describe(organizationId: string, request: RequestRow): Promise<Record<string, unknown>>;
};

const Params = Type.Object({ id: Type.String({ description: 'The service_request_id of the answer.' }) });
const Query = Type.Object({
  wait: Type.Optional(
    Type.String({
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
      description: 'Runs through to what came of it, with every error so far and, for pages, every delivery.',
      security: [{ key: [] }],
      params: Params,
      querystring: Query,
      response: { 200: StatusEnvelope, 400: ErrorEnvelope, 401: ErrorEnvelope, 404: ErrorEnvelope },
    },
    onRequest: requireKey(services.keys, services.budgets, 'requests'),
    handler: (request) => readStatus(services, request),
  });
}

async function readStatus(services: RequestRouteServices, request: FastifyRequest): Promise<StatusEnvelope> {
  const { organizationId } = credentialOf(request);
  const { id } = request.params as { id: string };
  const waitMs = readWait((request.query as { wait?: string }).wait);
  let row = await findRequest(services.db, organizationId, id);
  if (row && !row.finishedAt && waitMs > 0) {
    await services.watch.finished(id, waitMs, request.signal);
    row = await findRequest(services.db, organizationId, id);
  }
  if (!row)
    throw new Fault('not_found', [
      { field: 'id', message: 'is not the id of a request of your organization' },
    ]);
  return {
    service_request_id: row.id,
    response: { ...presentRequest(row), ...(await services.describe(organizationId, row)) },
  };
}

function readWait(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= MAX_WAIT_SECONDS) return seconds * 1_000;
  throw new Fault('bad_request', [
    {
      field: 'wait',
      message: `is ${JSON.stringify(text.slice(0, 50))}; give a number of seconds from 0 to ${MAX_WAIT_SECONDS}`,
    },
  ]);
}

function presentRequest(row: RequestRow) {
  return {
    status: row.status,
    success: row.finishedAt ? row.status === 'succeeded' : null,
    message: row.message,
    kind: row.kind,
    attempts: row.attempts,
    created_at: instantText(row.createdAt),
    updated_at: instantText(row.updatedAt),
    finished_at: instantTextOrNull(row.finishedAt),
    next_attempt_at: instantTextOrNull(row.nextAttemptAt),
    errors: row.errors,
  };
}
