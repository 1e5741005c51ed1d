import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { parseInstant } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type Acting, unknownSchedule } from './acting.ts';
import {
  type Cover,
  type CoverAnswer,
  type CoverList,
  CoverQuery,
  type CoverShown,
  type CoversForMe,
  OfferBody,
  OfferToBody,
  SpanQuery,
  TakeBody,
} from './api-contract.ts';
import { candidatesFor } from './candidates.ts';
import { changeApiRoutes, presentSwaps } from './change-api-routes.ts';
import { findCover } from './cover-store.ts';
import { declineCover, offerCover, offerShift, withdrawCover } from './offer.ts';
import { presentCovers } from './present.ts';
import { listCovers, scheduleHeads } from './read-store.ts';
import { acting, hidden, Params, withBody } from './request.ts';
import { applyCover, type Done, takeCover, unknownCover } from './take.ts';

export type CoverApiServices = { db: Database; clock: Clock };

/** Routes for covers, candidates, and other changes of shifts by people. */
export function coverApiRoutes(api: FastifyInstance, services: CoverApiServices): void {
  const { db, clock } = services;

  api.get('/covers', { schema: hidden }, async (request): Promise<CoversForMe> => {
    const viewer = viewerOf(request);
    const at = await clock.now(db);
    const filter = { scheduleId: null, from: at, to: null, states: ['open', 'proposed'] as const };
    const covers = await presentCovers(db, at, viewer, await listCovers(db, viewer.organizationId, filter));
    return { ...sorted(covers, viewer.userId), swaps: await presentSwaps(services, acting(request, at)) };
  });

  api.get(
    '/covers/:id',
    { schema: { ...hidden, params: Params } },
    async (request): Promise<CoverShown> => ({
      cover: await show(db, request, await clock.now(db), idOf(request)),
    }),
  );

  api.get(
    '/schedules/:id/covers',
    { schema: { ...hidden, params: Params, querystring: CoverQuery }, preValidation: readStates },
    async (request): Promise<CoverList> => {
      const viewer = viewerOf(request);
      const { from, to, state } = request.query as CoverQuery;
      const scheduleId = idOf(request);
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
  );

  action('take', TakeBody, (doing, request) => takeCover(doing, idOf(request), request.body as TakeBody));
  action('offer', OfferToBody, (doing, request) =>
    offerCover(doing, idOf(request), (request.body as OfferToBody).to),
  );
  action('decline', null, (doing, request) => declineCover(doing, idOf(request)));
  action('apply', null, (doing, request) => applyCover(doing, idOf(request)));
  action('withdraw', null, (doing, request) => withdrawCover(doing, idOf(request)));

  api.post(
    '/shifts/:id/offer',
    { schema: { ...hidden, params: Params, body: OfferBody }, preValidation: withBody },
    async (request, reply): Promise<CoverAnswer> => {
      const answer = await within(async (tx, at) => {
        const doing = { tx, ...acting(request, at) };
        const { coverId, ...done } = await offerShift(doing, idOf(request), request.body as OfferBody);
        return { ...done, cover: await show(tx, request, at, coverId) };
      });
      reply.code(201);
      return answer;
    },
  );

  api.get(
    '/shifts/:id/candidates',
    { schema: { ...hidden, params: Params, querystring: SpanQuery } },
    async (request) =>
      within((tx, at) =>
        candidatesFor({ tx, reads: true, ...acting(request, at) }, idOf(request), request.query as SpanQuery),
      ),
  );

  changeApiRoutes(api, services);

  /** Adds a route that changes a cover and answers with the result. */
  function action(
    name: string,
    body: TSchema | null,
    act: (doing: Acting, request: FastifyRequest) => Promise<Done>,
  ): void {
    api.post(
      `/covers/:id/${name}`,
      { schema: { ...hidden, params: Params, ...(body ? { body } : {}) }, preValidation: withBody },
      async (request): Promise<CoverAnswer> =>
        within(async (tx, at) => {
          const done = await act({ tx, ...acting(request, at) }, request);
          return { ...done, cover: await show(tx, request, at, idOf(request)) };
        }),
    );
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
  const asked = covers.filter(({ may }) => may.decline);
  const known = new Set([...mine, ...asked]);
  const open = covers.filter((cover) => !known.has(cover) && cover.may.take);
  const toDecide = covers.filter((cover) => !known.has(cover) && !open.includes(cover) && cover.may.assign);
  return { asked, open, mine, to_decide: toDecide };
}

async function readStates(request: FastifyRequest): Promise<void> {
  const query = { ...(request.query as Record<string, unknown>) };
  if (query.state !== undefined)
    query.state = [query.state].flat().flatMap((text) => String(text).split(','));
  request.query = query;
}
