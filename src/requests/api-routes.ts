import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { idOf } from '../kit/path-id.ts';
import { readQueryNumbers } from '../kit/query-numbers.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type RequestList, RequestListQuery } from './api-contract.ts';
import type { StatusEnvelope } from './contract.ts';
import { listRequests } from './list-store.ts';
import { type Describe, statusOf } from './status.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Requests as the dashboard looks them up: the newest, and one by its id as programs read it. */
export function requestApiRoutes(api: FastifyInstance, services: { db: Database; describe: Describe }): void {
  api.get(
    '/requests',
    { schema: { hide: true, querystring: RequestListQuery }, preValidation: readQueryNumbers },
    async (request): Promise<RequestList> => {
      const { limit, ...which } = request.query as RequestListQuery;
      const { organizationId } = viewerOf(request);
      const requests = await listRequests(services.db, organizationId, { ...which, limit: limit + 1 });
      return { requests: requests.slice(0, limit), has_more: requests.length > limit };
    },
  );
  api.get(
    '/requests/:id',
    { schema: { hide: true, params: Params } },
    async (request): Promise<StatusEnvelope> =>
      statusOf(services, viewerOf(request).organizationId, idOf(request)),
  );
}
