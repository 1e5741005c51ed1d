import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { storedProblem } from '../language/stored.ts';
import { mayAct } from '../moments/policy.ts';
import { findMoment, linkPage, type MomentPart } from '../moments/store.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { againApiRoutes } from './again-api-routes.ts';
import { composeApi } from './compose-api-contract.ts';
import { credentialOf } from './credential-of.ts';
import type { Raiser } from './raise.ts';
import { findPageOfRequest, listRefusedPages } from './read-store.ts';

export type ComposeServices = { db: Database; clock: Clock; raiser: Raiser };

/** The dashboard's routes for raising pages, and for refused pages. */
export function composeApiRoutes(api: FastifyInstance, services: ComposeServices): void {
  const { db, clock, raiser } = services;
  againApiRoutes(api, services);
  route(api, composeApi.raise, async (request, reply) => {
    const viewer = viewerOf(request);
    const { kind, moment, ...body } = request.body;
    const about = moment === undefined ? null : await momentToLink(db, viewer, moment);
    const idempotency = readIdempotency(request.headers['idempotency-key'], request.url, request.body);
    const credential = credentialOf(viewer);
    try {
      const { service_request_id } = await raiser.raise(kind, body, credential, idempotency);
      const page_id = await findPageOfRequest(db, viewer.organizationId, service_request_id);
      if (about)
        await db.transaction().execute(async (tx) => linkPage(tx, await clock.now(tx), about, page_id));
      reply.code(201);
      return { page_id, service_request_id };
    } catch (error) {
      if (error instanceof Fault && error.code === 'bad_request')
        await raiser.keepRefused(kind, body, credential, error);
      throw error;
    }
  });

  route(api, composeApi.refused, async (request) => {
    const { limit, before } = request.query;
    const { organizationId } = viewerOf(request);
    const refused = await listRefusedPages(db, organizationId, {
      limit: limit + 1,
      before: before ?? null,
    });
    const shown = refused.slice(0, limit).map((page) => ({
      ...page,
      reasons: page.reasons.map(({ field, message }) => ({ field, message: storedProblem(message) })),
    }));
    return { refused: shown, has_more: refused.length > limit };
  });
}

/** Checks the moment before the page is raised. */
async function momentToLink(db: Database, viewer: Viewer, id: string): Promise<MomentPart> {
  const { organizationId, userId, role } = viewer;
  const moment = await findMoment(db, viewer, id);
  if (!moment)
    throw new Fault('bad_request', [
      { field: 'moment', message: t('is not a moment of your organization; see /api/moments') },
    ]);
  if (!mayAct(role, moment))
    throw new Fault('forbidden', [
      {
        field: 'moment',
        message: t('belongs to the team {name}; only its members and admins can link it', {
          name: moment.team.name,
        }),
      },
    ]);
  return { organizationId, userId, momentId: moment.id };
}
