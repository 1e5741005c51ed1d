import type { FastifyRequest } from 'fastify';

/**
 * A `preValidation` hook: query parameters are strings, so turns a numeric `limit` into the number that schemas
 * require.
 */
export async function readQueryNumbers(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>;
  const { limit } = query;
  if (typeof limit === 'string' && /^\d{1,9}$/.test(limit))
    request.query = { ...query, limit: Number(limit) };
}
