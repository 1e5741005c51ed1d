import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { viewerOf } from '../sessions/contract.ts';
import { ownShifts, teamsNow } from './now-store.ts';

const OWN_SHIFTS = 5;

/** GET /api/on-call: who is on call in every team, and when it is the viewer's turn. */
export function scheduleApiRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  api.get('/on-call', { schema: { hide: true } }, async (request) => {
    const viewer = viewerOf(request);
    const at = await clock.now(db);
    return { teams: await teamsNow(db, viewer, at), yours: await ownShifts(db, viewer, at, OWN_SHIFTS) };
  });
}
