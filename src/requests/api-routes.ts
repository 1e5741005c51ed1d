import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { readQueryNumbers } from '../kit/query-numbers.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type RequestLine, type RequestList, RequestListQuery } from './api-contract.ts';
import type { StatusEnvelope } from './contract.ts';
import { type Describe, messageOf, statusOf } from './status.ts';
import { listRequests } from './store.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The dashboard's routes for requests: a list, and the status of one by its id. */
export function requestApiRoutes(api: FastifyInstance, services: { db: Database; describe: Describe }): void {
  api.get(
    '/requests',
    { schema: { hide: true, querystring: RequestListQuery }, preValidation: readQueryNumbers },
    async (request): Promise<RequestList> => {
      const { limit, ...which } = request.query as RequestListQuery;
      const { organizationId } = viewerOf(request);
      const requests = await listRequests(services.db, organizationId, { ...which, limit: limit + 1 });
      return { requests: requests.slice(0, limit).map(lineOf), has_more: requests.length > limit };
    },
  );
  api.get(
    '/requests/:id',
    { schema: { hide: true, params: Params } },
    async (request): Promise<StatusEnvelope> =>
      statusOf(services, viewerOf(request).organizationId, idOf(request)),
  );
}

function lineOf(row: Awaited<ReturnType<typeof listRequests>>[number]): RequestLine {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    message: messageOf(row),
    attempts: row.attempts,
    created_at: instantText(row.createdAt),
    finished_at: instantTextOrNull(row.finishedAt),
  };
}
