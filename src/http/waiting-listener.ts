import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { NotConnected } from '../db/away.ts';
import type { Keys } from '../keys/authenticate.ts';
import { createBudgets } from '../keys/budget.ts';
import type { Log } from '../kit/log.ts';
import type { Lifeboat } from '../lifeboat/boat.ts';
import { acknowledgeAwayRoutes } from '../notifications/acknowledge-away.ts';
import { routeNames } from '../people/rights.ts';
import { savedOnCallRoutes } from '../schedules/saved/api-routes.ts';
import type { SavedLists } from '../schedules/saved/keeper.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { serveDashboard } from './dashboard.ts';
import { addSafeHeaders } from './headers.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';

export type WaitingServices = HealthServices & {
  config: Config;
  log: Log;
  /** Null for workers, which have no dashboard. */
  savedLists: Pick<SavedLists, 'current' | 'sessions'> | null;
  /** Accepts pages meanwhile; null without a lifeboat. */
  lifeboat: Pick<Lifeboat, 'hook'> | null;
};

/** The largest form body that is read. */
const BODY_LIMIT = 16 * 1024;

/**
 * Answers on `PORT` while a starting node waits for its database: probes, the dashboard's files, the saved on-call
 * list, and 503 for all other routes.
 */
export async function createWaitingListener(services: WaitingServices): Promise<FastifyInstance> {
  const { config, log, savedLists } = services;
  const base = await createListener({ config, log, bodyLimit: BODY_LIMIT, names: config });
  services.lifeboat?.hook(base);
  addSafeHeaders(base, config.publicUrl);
  await base.register(cookie);
  base.register(async (routes) => healthRoutes(routes, services));
  if (savedLists === null) return base;
  base.register(async (routes) => acknowledgeAwayRoutes(routes));
  base.register(async (api) => savedOnCall(api, config, savedLists), { prefix: '/api' });
  base.register(async (routes) => refuseTheRest(routes));
  await serveDashboard(base);
  return base;
}

/** Answers 503 on `UPLOAD_PORT` meanwhile. */
export async function createWaitingUploadListener(config: Config, log: Log): Promise<FastifyInstance> {
  const upload = await createListener({ config, log, bodyLimit: BODY_LIMIT, names: config });
  addSafeHeaders(upload, config.uploadUrl);
  upload.addHook('onRequest', refuse);
  return upload;
}

/** The route of the dashboard that the table of rights opens only for saved sessions. */
function savedOnCall(
  api: FastifyInstance,
  config: Config,
  savedLists: Pick<SavedLists, 'current' | 'sessions'>,
): void {
  api.addHook(
    'onRequest',
    requireSession({
      ...{ config, sessions: UNKNOWN, keys: UNKNOWN, roleOf: refuse },
      budgets: createBudgets(config.rateLimit),
      savedSessions: savedLists.sessions,
    }),
  );
  savedOnCallRoutes(api, { savedLists });
}

/** Sessions and keys cannot be looked up. */
const UNKNOWN: Pick<Sessions, 'find'> & Pick<Keys, 'authenticate'> = { find: refuse, authenticate: refuse };

async function refuse(): Promise<never> {
  throw new NotConnected();
}

/** Routes that this listener serves itself. */
const SERVED = /^GET \/(healthz|readyz|api\/saved-on-call)$|^\w+ \/a\/:token$/;
/** These exist only in some installations, or do not depend on the database. */
const LEFT_OUT = /^GET \/(metrics|docs|openapi)/;

function refuseTheRest(routes: FastifyInstance): void {
  for (const name of routeNames()) {
    const [method = '', url = ''] = name.split(' ');
    if (SERVED.test(name) || LEFT_OUT.test(name)) continue;
    routes.route({ method, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
  }
}
