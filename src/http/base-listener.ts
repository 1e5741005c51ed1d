import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { momentsOfRequest } from '../moments/store.ts';
import { acknowledgeRoutes } from '../notifications/acknowledge-routes.ts';
import type { InboundPorts } from '../notifications/inbound/ports.ts';
import { slackCallbacks } from '../notifications/inbound/slack.ts';
import { twilioCallbacks } from '../notifications/inbound/twilio.ts';
import type { ActionServices } from '../pages/actions.ts';
import type { Raiser } from '../pages/raise.ts';
import { findStatusPage } from '../pages/read-store.ts';
import { pageRoutes } from '../pages/routes.ts';
import { requestRoutes } from '../requests/routes.ts';
import type { RequestRow } from '../requests/store.ts';
import type { RequestWatch } from '../requests/watch.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { momentRoutes } from '../webhooks/routes.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import { describeApi, serveDocs } from './docs.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';
import { misdirectUploads } from './misdirected.ts';
import { observeAnswers } from './observe.ts';

const JSON_LIMIT = 256 * 1024;

export type BaseServices = ActionServices &
  HealthServices & {
    config: Config;
    db: Database;
    clock: Clock;
    log: Log;
    keys: Keys;
    budgets: Budgets;
    sealing: Sealing;
    raiser: Raiser;
    watch: RequestWatch;
    answers: InboundPorts;
    tokens: WebhookTokens;
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
    momentRoutes(routes, { ...services, wake: services.wakeNotifications });
    scheduleRoutes(routes, services);
    acknowledgeRoutes(routes, services);
    misdirectUploads(routes, config.uploadUrl);
  });
  registerCallbacks(base, services);
  await serveDocs(base);
  return base;
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
