import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { VERSION } from '../kit/version.ts';
import { sessionApi } from './api-contract.ts';
import { viewerOf } from './contract.ts';
import { sessionCookie } from './session.ts';
import type { Sessions } from './sessions.ts';
import { findMe } from './store.ts';

export type SessionRouteServices = { db: Database; sessions: Sessions; config: { publicUrl: string } };

/** GET and DELETE /api/session: who is signed in, and signing out. */
export function sessionApiRoutes(api: FastifyInstance, services: SessionRouteServices): void {
  const { db, sessions, config } = services;
  const cookie = sessionCookie(config.publicUrl);
  route(api, sessionApi.show, async (request) => {
    const viewer = viewerOf(request);
    const me = await findMe(db, viewer.organizationId, viewer.userId);
    if (!me) throw new Fault('unauthorized');
    const token = viewer.authentication.kind === 'session' ? request.cookies[cookie.name] : undefined;
    const { user, organization, teams } = me;
    return {
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        role: user.role,
        time_zone: user.timeZone,
        clock: user.clock,
        language: user.language,
      },
      organization: { id: organization.id, name: organization.name, time_zone: organization.timeZone },
      teams,
      // Until it is set up, every other route refuses this session.
      second_factor_missing: (token && (await sessions.find(token))?.lacksSecondFactor) === true,
      version: VERSION,
    };
  });
  route(api, sessionApi.end, async (request, reply) => {
    const token = request.cookies[cookie.name];
    if (token && viewerOf(request).authentication.kind === 'session') await sessions.end(token);
    return reply.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 }).send({ signed_out: true });
  });
}
