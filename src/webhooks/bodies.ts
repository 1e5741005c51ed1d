import type { FastifyRequest } from 'fastify';
import { parseInstant } from '../kit/instant.ts';

/** How long the old URL works after a rotation that names no time. */
const USUAL_OVERLAP = { hours: 24 * 7 };

/** Until when the old URL or key works after a rotation; null ends it at once. */
export function oldUntilOf(given: string | null | undefined, at: Temporal.Instant): Temporal.Instant | null {
  if (given === null) return null;
  return given === undefined ? at.add(USUAL_OVERLAP) : parseInstant(given);
}

/** Removes fields that are null: when something is created, null means the same as a missing field. */
export async function withoutNulls(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  request.body = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
