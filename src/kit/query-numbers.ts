import type { FastifyRequest } from 'fastify';

/** Everything in a query is text; a `limit` of digits is the number that schemas want. A `preValidation` hook. */
export async function readQueryNumbers(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>;
  const { limit } = query;
  if (typeof limit === 'string' && /^\d{1,9}$/.test(limit))
    request.query = { ...query, limit: Number(limit) };
}
