import type { FastifyRequest } from 'fastify';

/** The `id` in a path such as `/api/people/:id`; the route's schema made sure that there is one. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
