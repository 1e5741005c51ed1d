import type { FastifyRequest } from 'fastify';
import { viewerOf } from '../sessions/contract.ts';
import type { Acting } from './acting.ts';

/** Helpers with which this room's routes read requests. */

export function acting(request: FastifyRequest, at: Temporal.Instant): Omit<Acting, 'tx'> {
  const { organizationId, userId, role } = viewerOf(request);
  return { at, viewer: { organizationId, userId, role } };
}

/** Treats a missing body as an empty one. */
export async function withBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
