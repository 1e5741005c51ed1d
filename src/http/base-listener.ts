import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { keyApiRoutes } from '../keys/api-routes.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { momentApiRoutes } from '../moments/api-routes.ts';
import { momentsOfRequest } from '../moments/store.ts';
import { acknowledgeRoutes } from '../notifications/acknowledge-routes.ts';
import { type DashboardApiServices, dashboardApiRoutes } from '../notifications/dashboards/api-routes.ts';
import type { InboundPorts } from '../notifications/inbound/ports.ts';
import { slackCallbacks } from '../notifications/inbound/slack.ts';
import { twilioCallbacks } from '../notifications/inbound/twilio.ts';
import type { ActionServices } from '../pages/actions.ts';
import { pageApiRoutes } from '../pages/api-routes.ts';
import type { Raiser } from '../pages/raise.ts';
import { findStatusPage } from '../pages/read-store.ts';
import { pageRoutes } from '../pages/routes.ts';
import { peopleApiRoutes } from '../people/api-routes.ts';
import { problemApiRoutes } from '../problems/api-routes.ts';
import { requestRoutes } from '../requests/routes.ts';
import type { RequestRow } from '../requests/store.ts';
import type { RequestWatch } from '../requests/watch.ts';
import { scheduleApiRoutes } from '../schedules/api-routes.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { sessionApiRoutes } from '../sessions/api-routes.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { signInRoutes } from '../sessions/sign-in-routes.ts';
import { webhookApiRoutes } from '../webhooks/api-routes.ts';
import type { WebhookHealth } from '../webhooks/health.ts';
import { notificationApiRoutes } from '../webhooks/notification-api-routes.ts';
import { momentRoutes } from '../webhooks/routes.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import { serveDashboard } from './dashboard.ts';
import { describeApi, serveDocs } from './docs.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';
import { misdirectUploads } from './misdirected.ts';
import { observeAnswers } from './observe.ts';

const JSON_LIMIT = 256 * 1024;

export type BaseServices = ActionServices &
  HealthServices &
  DashboardApiServices & {
    config: Config;
    db: Database;
    clock: Clock;
    log: Log;
    keys: Keys;
    sessions: Sessions;
    vapidPublicKey: string;
    /** Something may be due now. */
    wake(): void;
    budgets: Budgets;
    sealing: Sealing;
    raiser: Raiser;
    watch: RequestWatch;
    answers: InboundPorts;
    tokens: WebhookTokens;
    health: WebhookHealth;
    /** There are webhook calls to handle. */
    wakeNotifications(): void;
  };

/** Public API, webhooks, callbacks and dashboard, on `PORT`. */
export async function createBaseListener(services: BaseServices): Promise<FastifyInstance> {
  const { config, log } = services;
  const base = await createListener({ config, log, bodyLimit: JSON_LIMIT });
  observeAnswers(base, services.metrics);
  await base.register(helmet, { contentSecurityPolicy: false, referrerPolicy: { policy: 'no-referrer' } });
  await base.register(cookie);
  await describeApi(base, config);
  base.register(async (routes) => {
    healthRoutes(routes, services);
    pageRoutes(routes, services);
    requestRoutes(routes, {
      ...services,
      describe: (organizationId, request) => describeRequest(services.db, organizationId, request),
    });
    momentRoutes(routes, {
      ...services,
      wake(kind) {
        services.metrics.accepted.inc({ kind });
        services.wakeNotifications();
      },
    });
    scheduleRoutes(routes, services);
    acknowledgeRoutes(routes, services);
    misdirectUploads(routes, config.uploadUrl);
    signInRoutes(routes, services);
  });
  base.register(async (api) => dashboardApi(api, services), { prefix: '/api' });
  registerCallbacks(base, services);
  await serveDocs(base);
  await serveDashboard(base);
  return base;
}

/** All that the dashboard asks and does; nothing of it without a session or an API key. */
function dashboardApi(api: FastifyInstance, services: BaseServices): void {
  api.addHook('onRequest', requireSession(services));
  sessionApiRoutes(api, services);
  pageApiRoutes(api, services);
  scheduleApiRoutes(api, services);
  peopleApiRoutes(api, services);
  problemApiRoutes(api, services);
  momentApiRoutes(api, services);
  webhookApiRoutes(api, services);
  notificationApiRoutes(api, services);
  keyApiRoutes(api, services);
  dashboardApiRoutes(api, services);
}

function registerCallbacks(base: FastifyInstance, { config, answers: ports }: BaseServices): void {
  if (config.twilio)
    base.register(
      twilioCallbacks({ authToken: config.twilio.authToken, publicUrl: config.publicUrl, ports }),
    );
  if (config.slack) base.register(slackCallbacks({ signingSecret: config.slack.signingSecret, ports }));
}

/** What came of a request: its page, or its moments. */
async function describeRequest(
  db: Database,
  organizationId: string,
  request: RequestRow,
): Promise<Record<string, unknown>> {
  if (request.kind === 'moment' || request.kind === 'webhook')
    return { moments: await momentsOfRequest(db, organizationId, request.id) };
  return { page: await findStatusPage(db, organizationId, request.id) };
}

/** A worker has no API: only what operators and load balancers ask for. */
export async function createProbeListener(
  services: HealthServices & { config: Config; log: Log },
): Promise<FastifyInstance> {
  const probes = await createListener({ config: services.config, log: services.log, bodyLimit: 1_024 });
  healthRoutes(probes, services);
  return probes;
}
