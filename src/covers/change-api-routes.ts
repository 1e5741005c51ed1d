import type { FastifyInstance } from 'fastify';
import type { Database, Handle, Tx } from '../db/database.ts';
import { parseInstant } from '../kit/instant.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { unknownSchedule } from '../schedules/unknown-schedule.ts';
import { viewerOf } from '../sessions/contract.ts';
import type { Acting } from './acting.ts';
import { type OverrideShown, overridesApi, type Swap, shiftsApi, swapsApi } from './api-contract.ts';
import type { CoverApiServices } from './api-routes.ts';
import { changeOverrides } from './change-overrides.ts';
import { handOver } from './hand-over.ts';
import { addOverride, removeOverride } from './override.ts';
import type { CoverViewer } from './present.ts';
import { presentSwap } from './present-swap.ts';
import { acting } from './request.ts';
import {
  findSwap,
  listOverrides,
  piecesOf,
  type ScheduleHead,
  type StoredSwap,
  scheduleHeads,
  swapsOf,
} from './store.ts';
import { acceptSwap, mustBeSwappable, proposeSwap, refuseSwap, unknownSwap } from './swap.ts';
import type { Done } from './take.ts';

/** Routes for handing over, swaps and overrides. */
export function changeApiRoutes(api: FastifyInstance, services: CoverApiServices): void {
  const { db, clock } = services;
  const within = <T>(work: (tx: Tx, at: Temporal.Instant) => Promise<T>) =>
    db.transaction().execute(async (tx) => work(tx, await clock.now(tx)));

  route(api, shiftsApi.handOver, async (request) =>
    within(async (tx, at) => {
      const doing = { tx, ...acting(request, at) };
      const { scheduleId, place, ...done } = await handOver(doing, request.params.id, request.body);
      return { ...done, shifts: await piecesOf(tx, scheduleId, place) };
    }),
  );

  route(api, shiftsApi.swap, async (request, reply) => {
    const answer = await within(async (tx, at) => {
      const doing = { tx, ...acting(request, at) };
      const { swapId, ...done } = await proposeSwap(doing, request.params.id, request.body);
      return { ...done, swap: await showSwap(doing, swapId) };
    });
    reply.code(201);
    return answer;
  });

  route(api, swapsApi.find, async (request) =>
    within(async (tx, at) => ({ swap: await showSwap({ tx, ...acting(request, at) }, request.params.id) })),
  );

  route(api, swapsApi.accept, (request) => answer(request, acceptSwap));
  route(api, swapsApi.decline, (request) =>
    answer(request, (doing, id) => refuseSwap(doing, id, 'declined')),
  );
  route(api, swapsApi.withdraw, (request) =>
    answer(request, (doing, id) => refuseSwap(doing, id, 'withdrawn')),
  );

  route(api, overridesApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { from, to } = request.query;
    const schedule = await headOf(db, viewer, request.params.id);
    const overrides = await listOverrides(db, schedule.id, {
      from: (from && parseInstant(from)) || (await clock.now(db)),
      to: to === undefined ? null : parseInstant(to),
      id: null,
    });
    return { overrides: overrides.map((override) => withRights(override, viewer, schedule)) };
  });

  route(api, overridesApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const answer = await within(async (tx, at) => {
      const doing = { tx, ...acting(request, at) };
      const scheduleId = request.params.id;
      const { overrideId, ...done } = await addOverride(doing, scheduleId, request.body);
      return { ...done, override: await showOverride(tx, viewer, scheduleId, overrideId) };
    });
    reply.code(201);
    return answer;
  });

  route(api, overridesApi.change, async (request) => {
    const viewer = viewerOf(request);
    const { id } = request.params;
    return within(async (tx, at) => {
      const removed = await shownBefore(tx, id, request.body.remove ?? []);
      const { added, ...done } = await changeOverrides({ tx, ...acting(request, at) }, id, request.body);
      const head = await headOf(tx, viewer, id);
      const shown: OverrideShown[] = [];
      for (const one of added) shown.push(await showOverride(tx, viewer, id, one));
      return {
        ...done,
        added: shown,
        removed: removed.map((override) => withRights(override, viewer, head)),
      };
    });
  });

  route(api, overridesApi.remove, async (request) => {
    const viewer = viewerOf(request);
    const { id, override } = request.params;
    return within(async (tx, at) => {
      const [before] = await listOverrides(tx, id, { from: null, to: null, id: override });
      const done = await removeOverride({ tx, ...acting(request, at) }, id, override);
      if (!before) throw new Error(`the override ${override} was removed, but did not exist before`);
      return { ...done, override: withRights(before, viewer, await headOf(tx, viewer, id)) };
    });
  });

  /** Answers a swap, and shows it as it is then. */
  function answer(
    request: RequestOf<typeof swapsApi.accept>,
    act: (doing: Acting, id: string) => Promise<Done>,
  ) {
    return within(async (tx, at) => {
      const doing = { tx, ...acting(request, at) };
      const done = await act(doing, request.params.id);
      return { ...done, swap: await showSwap(doing, request.params.id) };
    });
  }
}

/** Overrides as they are before a change; unknown ids are left out, because the change refuses them. */
async function shownBefore(tx: Tx, scheduleId: string, ids: readonly string[]) {
  const shown: Omit<OverrideShown, 'may_delete'>[] = [];
  for (const id of ids) shown.push(...(await listOverrides(tx, scheduleId, { from: null, to: null, id })));
  return shown;
}

async function showSwap(doing: Acting, id: string): Promise<Swap> {
  const stored = await findSwap(doing.tx, doing.viewer.organizationId, id);
  const swap = stored && (await shown(doing, stored));
  if (!swap) throw unknownSwap();
  return swap;
}

function shown(doing: Acting, stored: StoredSwap): Promise<Swap | null> {
  return presentSwap(doing.tx, doing.viewer, stored, () =>
    mustBeSwappable({ ...doing, reads: true }, stored.given, stored.wanted),
  );
}

/** Open swaps that concern the viewer. */
export async function presentSwaps({ db }: CoverApiServices, doing: Omit<Acting, 'tx'>): Promise<Swap[]> {
  return db.transaction().execute(async (tx) => {
    const swaps: Swap[] = [];
    for (const stored of await swapsOf(tx, doing.viewer, doing.at)) {
      const swap = await shown({ tx, ...doing }, stored);
      if (swap) swaps.push(swap);
    }
    return swaps;
  });
}

async function headOf(db: Handle | Database, viewer: CoverViewer, id: string): Promise<ScheduleHead> {
  const schedule = (await scheduleHeads(db, viewer, [id])).get(id);
  if (!schedule) throw unknownSchedule();
  return schedule;
}

async function showOverride(
  tx: Tx,
  viewer: CoverViewer,
  scheduleId: string,
  id: string,
): Promise<OverrideShown> {
  const [override] = await listOverrides(tx, scheduleId, { from: null, to: null, id });
  if (!override) throw new Error(`the override ${id} was just written and cannot be found`);
  return withRights(override, viewer, await headOf(tx, viewer, scheduleId));
}

function withRights(
  override: Omit<OverrideShown, 'may_delete'>,
  { userId, role }: CoverViewer,
  { manager }: ScheduleHead,
): OverrideShown {
  const manages = mayManageSchedules(role, { member: manager, manager });
  return { ...override, may_delete: manages || override.created_by?.id === userId };
}
