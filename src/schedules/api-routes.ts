import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import type { ShiftAhead } from '../people/persons/shifts.ts';
import type { Means } from '../people/reachability.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type OwnShift, onCallApi, type TeamNow } from './api-contract.ts';
import { withReach } from './now-reach.ts';
import { listDirectoryOf, listOncallsOf, shiftsAhead, teamsNow } from './read-store.ts';
import { AHEAD, listOf, partOf } from './saved/list.ts';

const OWN_SHIFTS = 5;
/** What a device stores for the time without a network. */
const MOST_OFFLINE = { schedules: 50, oncalls: 1_000, sessions: 0 };

/** Who is on call in every team, the viewer's next shifts, and the part that a device stores. */
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
    return { teams, yours: (await shiftsAhead(db, viewer, at, OWN_SHIFTS)).map(presentOwnShift) };
  });

  route(api, onCallApi.offline, async (request) => {
    const viewer = viewerOf(request);
    const at = await clock.now(db);
    const range = { start: at, end: at.add(AHEAD) };
    const found = {
      schedules: await listDirectoryOf(db, viewer, range, MOST_OFFLINE.schedules + 1),
      oncalls: await listOncallsOf(db, viewer, range, MOST_OFFLINE.oncalls + 1),
      sessions: [],
    };
    return partOf(listOf(found, at, MOST_OFFLINE), viewer.organizationId);
  });
}

function presentOwnShift({ schedule, team, stage, startsAt, endsAt }: ShiftAhead): OwnShift {
  return { schedule, team, stage, starts_at: instantText(startsAt), ends_at: instantText(endsAt) };
}
