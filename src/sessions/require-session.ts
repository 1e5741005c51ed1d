import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import type { Viewer } from './contract.ts';
import { isSameOrigin } from './same-origin.ts';
import { sessionCookie } from './session.ts';
import type { Sessions } from './sessions.ts';
import { roleOf } from './store.ts';

export type DoorServices = {
  db: Database;
  sessions: Sessions;
  keys: Keys;
  budgets: Budgets;
  config: { publicUrl: string };
};

/**
 * The hook of all routes of the dashboard: a session's cookie, or an API key that may do everything its user may.
 * Whatever changes something by cookie must come from our own pages, since browsers send cookies along for others.
 */
export function requireSession(services: DoorServices) {
  const cookie = sessionCookie(services.config.publicUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store');
    const token = request.cookies[cookie.name];
    const byKey = request.headers.authorization !== undefined;
    const viewer = byKey ? await viewerByKey(services, request) : await viewerBySession(services, token);
    if (!viewer) throw signedOut();
    if (!byKey && request.method !== 'GET') demandOwnPage(request, services.config.publicUrl);
    request.viewer = viewer;
  };
}

async function viewerBySession(
  { sessions }: DoorServices,
  token: string | undefined,
): Promise<Viewer | null> {
  return token ? sessions.find(token) : null;
}

async function viewerByKey(
  { db, keys, budgets }: DoorServices,
  request: FastifyRequest,
): Promise<Viewer | null> {
  const credential = await keys.authenticate(request.headers.authorization);
  if (credential.scopes !== null)
    throw new Fault('forbidden', [
      {
        field: 'Authorization',
        message: 'carries a key that is limited to some scopes; use one without scopes for the dashboard',
      },
    ]);
  budgets.spend(credential.keyId, 'other');
  const { organizationId, userId, keyId } = credential;
  const role = await roleOf(db, organizationId, userId);
  return role && { organizationId, userId, role, pass: { kind: 'key', id: keyId } };
}

function signedOut(): Fault {
  return new Fault('unauthorized', [
    {
      field: 'session',
      message: 'is missing, over or signed out; sign in again, or send "Authorization: Bearer <API key>"',
    },
  ]);
}

function demandOwnPage(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site'];
  const own = isSameOrigin({ site: [site].flat()[0], origin: request.headers.origin }, publicUrl);
  if (!own)
    throw new Fault('forbidden', [
      {
        field: 'Origin',
        message: `is not that of the dashboard; send this request from a page of ${publicUrl}, or with an API key`,
      },
    ]);
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Fault('unsupported_media_type', [
      { field: 'Content-Type', message: 'is not accepted here; send application/json' },
    ]);
}
