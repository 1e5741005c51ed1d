import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { parseInstant } from '../kit/instant.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { unknownSchedule } from '../schedules/unknown-schedule.ts';
import { viewerOf } from '../sessions/contract.ts';
import type { Acting } from './acting.ts';
import { type Cover, type CoversForMe, coversApi, shiftsApi } from './api-contract.ts';
import { candidatesFor } from './candidates.ts';
import { changeApiRoutes, presentSwaps } from './change-api-routes.ts';
import { declineCover, offerCover, offerShift, withdrawCover } from './offer.ts';
import { presentCovers } from './present.ts';
import { acting, withBody } from './request.ts';
import { findCover, listCovers, scheduleHeads } from './store.ts';
import { applyCover, type Done, takeCover, unknownCover } from './take.ts';

export type CoverApiServices = { db: Database; clock: Clock };

/** Routes for covers, candidates, and other changes of shifts by people. */
export function coverApiRoutes(api: FastifyInstance, services: CoverApiServices): void {
  const { db, clock } = services;

  route(api, coversApi.forMe, async (request) => {
    const viewer = viewerOf(request);
    const at = await clock.now(db);
    const filter = { scheduleId: null, from: at, to: null, states: ['open', 'proposed'] as const };
    const covers = await presentCovers(db, at, viewer, await listCovers(db, viewer.organizationId, filter));
    return { ...sorted(covers, viewer.userId), swaps: await presentSwaps(services, acting(request, at)) };
  });

  route(api, coversApi.find, async (request) => ({
    cover: await show(db, request, await clock.now(db), request.params.id),
  }));

  route(
    api,
    coversApi.ofSchedule,
    async (request) => {
      const viewer = viewerOf(request);
      const { from, to, state } = request.query;
      const scheduleId = request.params.id;
      const at = await clock.now(db);
      if (!(await scheduleHeads(db, viewer, [scheduleId])).has(scheduleId)) throw unknownSchedule();
      const covers = await listCovers(db, viewer.organizationId, {
        scheduleId,
        from: (from && parseInstant(from)) || at,
        to: to === undefined ? null : parseInstant(to),
        states: state ?? null,
      });
      return { covers: await presentCovers(db, at, viewer, covers) };
    },
    { preValidation: readStates },
  );

  route(
    api,
    coversApi.take,
    (request) => answer(request, (doing, id) => takeCover(doing, id, request.body)),
    { preValidation: withBody },
  );
  route(
    api,
    coversApi.offer,
    (request) => answer(request, (doing, id) => offerCover(doing, id, request.body.to)),
    { preValidation: withBody },
  );
  route(api, coversApi.decline, (request) => answer(request, declineCover));
  route(api, coversApi.apply, (request) => answer(request, applyCover));
  route(api, coversApi.withdraw, (request) => answer(request, withdrawCover));

  route(
    api,
    shiftsApi.offer,
    async (request, reply) => {
      const offered = await within(async (tx, at) => {
        const doing = { tx, ...acting(request, at) };
        const { coverId, ...done } = await offerShift(doing, request.params.id, request.body);
        return { ...done, cover: await show(tx, request, at, coverId) };
      });
      reply.code(201);
      return offered;
    },
    { preValidation: withBody },
  );

  route(api, shiftsApi.candidates, async (request) =>
    within((tx, at) =>
      candidatesFor({ tx, reads: true, ...acting(request, at) }, request.params.id, request.query),
    ),
  );

  changeApiRoutes(api, services);

  /** Changes a cover, and returns its new state. */
  function answer(
    request: RequestOf<typeof coversApi.decline>,
    act: (doing: Acting, id: string) => Promise<Done>,
  ) {
    const { id } = request.params;
    return within(async (tx, at) => {
      const done = await act({ tx, ...acting(request, at) }, id);
      return { ...done, cover: await show(tx, request, at, id) };
    });
  }

  function within<T>(work: (tx: Tx, at: Temporal.Instant) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (tx) => work(tx, await clock.now(tx)));
  }
}

async function show(db: Handle, request: FastifyRequest, at: Temporal.Instant, id: string): Promise<Cover> {
  const viewer = viewerOf(request);
  const stored = await findCover(db, viewer.organizationId, id);
  const [cover] = stored ? await presentCovers(db, at, viewer, [stored]) : [];
  if (!cover) throw unknownCover();
  return cover;
}

/** Groups the open covers that concern the viewer, each in the first group that fits. */
function sorted(covers: readonly Cover[], userId: string): Omit<CoversForMe, 'swaps'> {
  const mine = covers.filter(({ person }) => person.id === userId);
  const proposed = covers.filter(({ may }) => may.decline);
  const known = new Set([...mine, ...proposed]);
  const open = covers.filter((cover) => !known.has(cover) && cover.may.take);
  const toDecide = covers.filter((cover) => !known.has(cover) && !open.includes(cover) && cover.may.assign);
  return { asked: proposed, open, mine, to_decide: toDecide };
}

/** Several states arrive as several parameters, or as one with commas. */
async function readStates(request: FastifyRequest): Promise<void> {
  const query: Record<string, unknown> = { ...(request.query as object) };
  if (query.state !== undefined)
    query.state = [query.state].flat().flatMap((text) => String(text).split(','));
  request.query = query;
}
