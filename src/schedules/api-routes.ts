import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { route } from '../kit/route.ts';
import type { Means } from '../people/reachability.ts';
import { viewerOf } from '../sessions/contract.ts';
import { onCallApi, type TeamNow } from './api-contract.ts';
import { withReach } from './now-reach.ts';
import { ownShifts, teamsNow } from './now-store.ts';

const OWN_SHIFTS = 5;

/** GET /api/on-call: who is on call in every team, and the viewer's next shifts. */
export function scheduleApiRoutes(
  api: FastifyInstance,
  { db, clock, means }: { db: Database; clock: Clock; means: Means },
): void {
  route(api, onCallApi.now, async (request) => {
    const viewer = viewerOf(request);
    const at = await clock.now(db);
    const read = await teamsNow(db, viewer, at);
    const schedules = await withReach(
      db,
      means,
      read.flatMap((team) => team.schedules),
    );
    const known = new Map(schedules.map((schedule) => [schedule.id, schedule]));
    const teams = read.map(
      (team): TeamNow => ({ ...team, schedules: team.schedules.flatMap(({ id }) => known.get(id) ?? []) }),
    );
    return { teams, yours: await ownShifts(db, viewer, at, OWN_SHIFTS) };
  });
}
