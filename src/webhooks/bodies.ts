import type { FastifyRequest } from 'fastify';
import type { Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import type { Viewer } from '../sessions/contract.ts';
import { findTeamOfViewer, type TeamOfViewer } from './manage-store.ts';

/** How long the old URL works after a rotation that does not say. */
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

/** Throws `bad_request` when the organization has no such team. */
export async function teamOf(db: Handle, viewer: Viewer, slugOrId: string): Promise<TeamOfViewer> {
  const team = await findTeamOfViewer(db, viewer, slugOrId);
  if (team) return team;
  throw new Fault('bad_request', [
    {
      field: 'team',
      message: `is ${JSON.stringify(slugOrId)}, which is no team of your organization; give its slug or id`,
    },
  ]);
}
