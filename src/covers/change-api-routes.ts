import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database, Handle, Tx } from '../db/database.ts';
import { parseInstant } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type Acting, unknownSchedule } from './acting.ts';
import {
  HandOverBody,
  type OverrideAnswer,
  OverrideBody,
  type OverrideList,
  type OverrideShown,
  type ShiftAnswer,
  SpanQuery,
  type Swap,
  type SwapAnswer,
  SwapBody,
  type SwapShown,
} from './api-contract.ts';
import type { CoverApiServices } from './api-routes.ts';
import { handOver } from './hand-over.ts';
import { addOverride, removeOverride } from './override.ts';
import { listOverrides } from './override-list-store.ts';
import type { CoverViewer } from './present.ts';
import { presentSwap } from './present-swap.ts';
import { type ScheduleHead, scheduleHeads } from './read-store.ts';
import { acting, hidden, Params, withBody } from './request.ts';
import { piecesOf } from './shift-store.ts';
import { acceptSwap, mustBeSwappable, proposeSwap, refuseSwap, unknownSwap } from './swap.ts';
import { findSwap, type StoredSwap, swapsOf } from './swap-store.ts';
import type { Done } from './take.ts';

const OverrideParams = Type.Object({
  id: Type.String({ maxLength: 100 }),
  override: Type.String({ maxLength: 100 }),
});

/** Routes for handing over, swaps and overrides. */
export function changeApiRoutes(api: FastifyInstance, services: CoverApiServices): void {
  const { db, clock } = services;
  const within = <T>(work: (tx: Tx, at: Temporal.Instant) => Promise<T>) =>
    db.transaction().execute(async (tx) => work(tx, await clock.now(tx)));

  api.post(
    '/shifts/:id/hand-over',
    { schema: { ...hidden, params: Params, body: HandOverBody } },
    async (request): Promise<ShiftAnswer> =>
      within(async (tx, at) => {
        const doing = { tx, ...acting(request, at) };
        const { scheduleId, place, ...done } = await handOver(
          doing,
          idOf(request),
          request.body as HandOverBody,
        );
        return { ...done, shifts: await piecesOf(tx, scheduleId, place) };
      }),
  );

  api.post(
    '/shifts/:id/swap',
    { schema: { ...hidden, params: Params, body: SwapBody } },
    async (request, reply): Promise<SwapAnswer> => {
      const answer = await within(async (tx, at) => {
        const doing = { tx, ...acting(request, at) };
        const { swapId, ...done } = await proposeSwap(doing, idOf(request), request.body as SwapBody);
        return { ...done, swap: await showSwap(doing, swapId) };
      });
      reply.code(201);
      return answer;
    },
  );

  api.get(
    '/swaps/:id',
    { schema: { ...hidden, params: Params } },
    async (request): Promise<SwapShown> =>
      within(async (tx, at) => ({ swap: await showSwap({ tx, ...acting(request, at) }, idOf(request)) })),
  );

  swapAction('accept', acceptSwap);
  swapAction('decline', (doing, id) => refuseSwap(doing, id, 'declined'));
  swapAction('withdraw', (doing, id) => refuseSwap(doing, id, 'withdrawn'));

  api.get(
    '/schedules/:id/overrides',
    { schema: { ...hidden, params: Params, querystring: SpanQuery } },
    async (request): Promise<OverrideList> => {
      const viewer = viewerOf(request);
      const { from, to } = request.query as SpanQuery;
      const schedule = await headOf(db, viewer, idOf(request));
      const overrides = await listOverrides(db, schedule.id, {
        from: (from && parseInstant(from)) || (await clock.now(db)),
        to: to === undefined ? null : parseInstant(to),
        id: null,
      });
      return { overrides: overrides.map((override) => withRights(override, viewer, schedule)) };
    },
  );

  api.post(
    '/schedules/:id/overrides',
    { schema: { ...hidden, params: Params, body: OverrideBody } },
    async (request, reply): Promise<OverrideAnswer> => {
      const viewer = viewerOf(request);
      const answer = await within(async (tx, at) => {
        const doing = { tx, ...acting(request, at) };
        const scheduleId = idOf(request);
        const { overrideId, ...done } = await addOverride(doing, scheduleId, request.body as OverrideBody);
        return { ...done, override: await showOverride(tx, viewer, scheduleId, overrideId) };
      });
      reply.code(201);
      return answer;
    },
  );

  api.delete(
    '/schedules/:id/overrides/:override',
    { schema: { ...hidden, params: OverrideParams } },
    async (request): Promise<OverrideAnswer> => {
      const viewer = viewerOf(request);
      const { id, override } = request.params as { id: string; override: string };
      return within(async (tx, at) => {
        const [before] = await listOverrides(tx, id, { from: null, to: null, id: override });
        const done = await removeOverride({ tx, ...acting(request, at) }, id, override);
        const schedule = await headOf(tx, viewer, id);
        return { ...done, override: withRights(before as OverrideShown, viewer, schedule) };
      });
    },
  );

  function swapAction(name: string, act: (doing: Acting, id: string) => Promise<Done>): void {
    api.post(
      `/swaps/:id/${name}`,
      { schema: { ...hidden, params: Params }, preValidation: withBody },
      async (request): Promise<SwapAnswer> =>
        within(async (tx, at) => {
          const doing = { tx, ...acting(request, at) };
          const done = await act(doing, idOf(request));
          return { ...done, swap: await showSwap(doing, idOf(request)) };
        }),
    );
  }
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
  if (!override) throw new Error(`the override ${id} was just written and is not there`);
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
