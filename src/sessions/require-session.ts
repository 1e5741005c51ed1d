import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../db/away.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { sha256 } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import type { Role } from '../people/contract.ts';
import { type Access, accessOf, isForKeys, isForScopes } from '../people/rights.ts';
import { PERSON_HEADER } from './api-contract.ts';
import { placeOf } from './browser.ts';
import { forPeopleOnly } from './confirmed.ts';
import type { Viewer } from './contract.ts';
import { demandOwnPage } from './own-page.ts';
import { hasSessionCookie, sessionCookie } from './session.ts';
import type { Sessions } from './sessions.ts';

export type DoorServices = {
  /** The role of a user who is not disabled; otherwise null. */
  roleOf(organizationId: string, userId: string): Promise<Role | null>;
  sessions: Pick<Sessions, 'find'>;
  keys: Pick<Keys, 'authenticate'>;
  budgets: Budgets;
  /** The sessions that were open when this node last saved its on-call list. */
  savedSessions: SavedSessions;
  config: { publicUrl: string };
};

/** Recognizes sessions while the database is away. */
export type SavedSessions = {
  /** The person of a session, by the hash of its token in base64; null if the session is unknown or has ended. */
  find(hash: string, now: Temporal.Instant): Viewer | null;
};

/**
 * The hook of all routes of the dashboard. It requires a session's cookie, or an API key with full access if the table
 * of rights allows keys. Requests that change something by cookie must come from our own pages, because browsers also
 * send cookies with the requests of other sites. A dashboard that shows another person than the one who is signed in is refused.
 */
export function requireSession(services: DoorServices) {
  const cookie = sessionCookie(services.config.publicUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store');
    const token = request.cookies[cookie.name];
    const byKey = request.headers.authorization !== undefined;
    const viewer = byKey
      ? await viewerByKey(services, request)
      : await viewerBySession(services, request, token).catch((error: unknown) =>
          viewerWhileAway(services, request, token, error),
        );
    if (!viewer) throw signedOut(hasSessionCookie(request.cookies));
    if (!byKey) demandShownPerson(request, viewer);
    if (!byKey && request.method !== 'GET') demandOwnPage(request, services.config.publicUrl);
    request.viewer = viewer;
  };
}

async function viewerBySession(
  { sessions }: DoorServices,
  request: FastifyRequest,
  token: string | undefined,
): Promise<Viewer | null> {
  const found = token ? await sessions.find(token, placeOf(request.ip)) : null;
  if (!found) return null;
  const { lacksSecondFactor, ...viewer } = found;
  if (lacksSecondFactor && !isOfAccount(request)) throw secondFactorMissing();
  return viewer;
}

/**
 * The person of a saved session, while the database is away, at the few routes where the table of rights permits it.
 * @throws the error of the database in all other cases
 */
function viewerWhileAway(
  { savedSessions }: Pick<DoorServices, 'savedSessions'>,
  request: FastifyRequest,
  token: string | undefined,
  error: unknown,
): Viewer {
  const { whileAway } = accessOf(request.method, request.routeOptions.url ?? '');
  if (!token || !whileAway || !isDatabaseAway(error)) throw error;
  const hash = sha256(token).toString('base64');
  const viewer = savedSessions.find(hash, Temporal.Now.instant());
  if (!viewer) throw error;
  return viewer;
}

/** The routes that a person needs to set up their second factor. */
function isOfAccount(request: FastifyRequest): boolean {
  return /^\/api\/(session|account)(\/|$)/.test(request.routeOptions.url ?? '');
}

function secondFactorMissing(): Fault {
  return new Fault('forbidden', [
    {
      field: 'second factor',
      message: t('is required for everybody in your organization; set one up under Account to continue'),
    },
  ]);
}

async function viewerByKey(
  { roleOf, keys, budgets }: DoorServices,
  request: FastifyRequest,
): Promise<Viewer | null> {
  const credential = await keys.authenticate(request.headers.authorization);
  const access = accessOf(request.method, request.routeOptions.url ?? '');
  if (!credential.full && !isForScopes(access, credential.scopes)) throw notForThisKey(access);
  if (!isForKeys(access)) throw forPeopleOnly();
  budgets.spend(credential.keyId, 'other');
  const { organizationId, userId, keyId } = credential;
  const role = await roleOf(organizationId, userId);
  return role && { organizationId, userId, role, authentication: { kind: 'key', id: keyId } };
}

function notForThisKey({ scope }: Access): Fault {
  const message =
    scope === undefined
      ? t(
          'carries a key for the public API, which does not reach /api; make a key with full access for that, under API keys or with "tocsin key create --full"',
        )
      : t(
          'carries a key without the scope "{scope}" and without full access; make a key that has one of them, under API keys or with "tocsin key create", and --scopes {scope} or --full',
          { scope },
        );
  return new Fault('forbidden', [{ field: 'Authorization', message }]);
}

/** Nothing is done in the name of the person who is signed in, or shown to them, from a dashboard of somebody else. */
function demandShownPerson(request: FastifyRequest, { userId }: Viewer): void {
  const shown = request.headers[PERSON_HEADER];
  if (shown !== undefined && shown !== userId)
    throw new Fault('unauthorized', [
      {
        field: 'person',
        message: t('Another person has signed in here meanwhile. Reload the page.'),
      },
    ]);
}

function signedOut(hadSession: boolean): Fault {
  const message = hadSession
    ? t('Your session has ended. Sign in again, in another tab if you have entered something here.')
    : t(
        'You are not signed in, or your session has ended. Sign in again, in another tab if you have entered something here. A program has to send "{header}".',
        { header: 'Authorization: Bearer <API key>' },
      );
  return new Fault('unauthorized', [{ field: 'session', message }]);
}
