import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { storedText } from '../language/stored.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type RequestLine, requestsApi } from './api-contract.ts';
import { type Describe, messageOf, statusOf } from './status.ts';
import { lastRead, listRequests } from './store.ts';

/** The dashboard's routes for requests: a list, and the status of one by its id. */
export function requestApiRoutes(api: FastifyInstance, services: { db: Database; describe: Describe }): void {
  route(api, requestsApi.list, async (request) => {
    const { limit, ...which } = request.query;
    const { organizationId } = viewerOf(request);
    const found = await listRequests(services.db, organizationId, { ...which, limit: limit + 1 });
    const requests = found.slice(0, limit);
    const next =
      found.length > limit
        ? (requests.at(-1)?.id ?? null)
        : which.status || which.kind
          ? await lastRead(services.db, organizationId, which.before)
          : null;
    return { requests: requests.map(lineOf), has_more: next !== null, next_before: next };
  });

  route(api, requestsApi.show, async (request) => {
    const found = await statusOf(services, viewerOf(request).organizationId, request.params.id);
    const { message, errors, ...same } = found.response;
    return {
      ...found,
      response: {
        ...same,
        message: storedText(message),
        errors: errors.map((error) => ({ ...error, message: storedText(error.message) })),
      },
    };
  });
}

function lineOf(row: Awaited<ReturnType<typeof listRequests>>[number]): RequestLine {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    message: storedText(messageOf(row)),
    attempts: row.attempts,
    created_at: instantText(row.createdAt),
    finished_at: instantTextOrNull(row.finishedAt),
  };
}
