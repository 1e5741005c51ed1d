import type { FastifyRequest } from 'fastify';

/** The `id` in a path such as `/api/people/:id`; the schema of the route guarantees that it is there. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
