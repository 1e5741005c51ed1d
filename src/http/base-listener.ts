import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { routes as apply } from '../apply/room-routes.ts';
import { routes as availability } from '../availability/room-routes.ts';
import type { SourceServices } from '../availability/sources.ts';
import type { Spool } from '../availability/spool.ts';
import { routes as calendars } from '../calendars/room-routes.ts';
import type { Config } from '../config.ts';
import { routes as covers } from '../covers/room-routes.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { routes as handoffs } from '../handoffs/room-routes.ts';
import { routes as installation } from '../installation/room-routes.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { routes as keys } from '../keys/room-routes.ts';
import type { Log } from '../kit/log.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Lifeboat } from '../lifeboat/boat.ts';
import { routes as moments } from '../moments/room-routes.ts';
import { momentsOfRequest } from '../moments/store.ts';
import { routes as notices } from '../notices/room-routes.ts';
import type { Channels } from '../notifications/channels/registry.ts';
import type { ChangedRooms } from '../notifications/dashboards/announcements.ts';
import type { DashboardApiServices } from '../notifications/dashboards/api-routes.ts';
import type { InboundPorts } from '../notifications/inbound/ports.ts';
import type { LiveProviders } from '../notifications/providers.ts';
import { routes as notifications } from '../notifications/room-routes.ts';
import type { ActionServices } from '../pages/actions.ts';
import type { Raiser } from '../pages/raise.ts';
import { findStatusPage, pagesOfRequest } from '../pages/read-store.ts';
import { routes as pages } from '../pages/room-routes.ts';
import { routes as pay } from '../pay/room-routes.ts';
import type { Courier } from '../people/methods/courier.ts';
import type { Means } from '../people/reachability.ts';
import { routes as people } from '../people/room-routes.ts';
import { routes as planning } from '../planning/room-routes.ts';
import type { Solver } from '../planning/threads/solver.ts';
import { routes as problems } from '../problems/room-routes.ts';
import { routes as reports } from '../reports/room-routes.ts';
import type { Safety } from '../requests/accept.ts';
import { routes as requests } from '../requests/room-routes.ts';
import type { Describe } from '../requests/status.ts';
import type { RequestWatch } from '../requests/watch.ts';
import { onCallAt, shiftsAhead } from '../schedules/read-store.ts';
import { routes as schedules } from '../schedules/room-routes.ts';
import type { SavedLists } from '../schedules/saved/keeper.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { endAuthority } from '../sessions/authority.ts';
import { askForConfirmation } from '../sessions/confirmed.ts';
import { type DoorServices, requireSession, type SavedSessions } from '../sessions/require-session.ts';
import { routes as sessions } from '../sessions/room-routes.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { roleOf } from '../sessions/store.ts';
import { routes as sources } from '../sources/room-routes.ts';
import { routes as views } from '../views/room-routes.ts';
import type { WebhookHealth } from '../webhooks/health.ts';
import type { ReceivingServices } from '../webhooks/receiving.ts';
import { routes as webhooks } from '../webhooks/room-routes.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import type { Room } from '../worker/room.ts';
import { routes as worker } from '../worker/room-routes.ts';
import { announceChanges } from './announce-changes.ts';
import { answerInLanguage } from './answer-in-language.ts';
import { type CheckAnswer, checkAnswers } from './check-answers.ts';
import { serveDashboard } from './dashboard.ts';
import { describeApi, serveDocs } from './docs.ts';
import { addSafeHeaders } from './headers.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { type MetricsServices, metricsListenerRoute, metricsRoute } from './metrics-routes.ts';
import { misdirectUploads } from './misdirected.ts';
import { observeAnswers } from './observe.ts';
import { refuseNulInBodies } from './refuse-nul.ts';

const JSON_LIMIT = 256 * 1024;

export type BaseServices = ActionServices &
  HealthServices &
  MetricsServices &
  DashboardApiServices & {
    config: Config;
    db: Database;
    /** A separate connection pool for accepting pages and calls, so that they do not wait for other queries. */
    acceptDb: Database;
    clock: Clock;
    log: Log;
    keys: Keys;
    sessions: Sessions;
    /** Accepts pages while the database is away; null without a lifeboat. */
    lifeboat: Pick<Lifeboat, 'hook'> | null;
    savedLists: SavedLists;
    savedSessions: SavedSessions;
    attempts: Attempts;
    /** Informs open dashboards of changes. */
    changedRooms: ChangedRooms;
    /** The providers as they are set up now. */
    providers: LiveProviders;
    /** Makes all processes read the providers of the dashboard again. */
    providersChanged(): Promise<void>;
    /** Whether email is set up. */
    emails(): boolean;
    vapidPublicKey: string;
    solver: Solver;
    /** Where uploads are stored until they are processed. */
    spool: Spool;
    /** Removes disabled people from pages that would notify them. */
    personDisabled(): Promise<unknown>;
    room: Room;
    /** Wakes the engine, because something may be due now. */
    wake(): void;
    budgets: Budgets;
    safety: Safety;
    sealing: Sealing;
    calendars: SourceServices['calendars'];
    raiser: Raiser;
    /** This is the service on the database of a lifeboat. */
    isStandBy: boolean;
    /** Added to the answer to everything that a lifeboat accepts. */
    warnings: readonly string[];
    channels: Channels;
    courier: Courier;
    /** Which channels are set up. */
    means: Means;
    watch: RequestWatch;
    answers: InboundPorts;
    tokens: WebhookTokens;
    health: WebhookHealth;
    /** Wakes the worker, because there are webhook calls to process. */
    wakeCalls(): void;
    /** Observes every answer of the base and the upload listener; null outside tests. */
    checkAnswer: CheckAnswer | null;
  };

/** The public API, webhooks, callbacks and the dashboard, on `PORT`. */
export async function createBaseListener(services: BaseServices): Promise<FastifyInstance> {
  const { config, log } = services;
  const base = await createListener({ config, log, bodyLimit: JSON_LIMIT, names: config });
  services.lifeboat?.hook(base);
  observeAnswers(base, services.metrics);
  if (services.checkAnswer) checkAnswers(base, services.checkAnswer);
  addSafeHeaders(base, config.publicUrl);
  await base.register(cookie);
  await describeApi(base, config);
  const rooms = routesOfRooms(services);
  base.register(async (listener) => {
    healthRoutes(listener, services);
    metricsRoute(listener, services);
    for (const { root } of rooms) root?.(listener);
    misdirectUploads(listener, config.uploadUrl);
  });
  base.register(async (scope) => mcpRoutes(scope, base, doorOf(services)));
  base.register(
    async (api) => {
      answerInLanguage(api);
      for (const { open } of rooms) open?.(api);
    },
    { prefix: '/api' },
  );
  base.register(
    async (api) => {
      answerInLanguage(api);
      api.addHook('onRequest', requireSession(doorOf(services)));
      // Runs before the body is validated, so that validation errors reveal nothing about forbidden routes.
      api.addHook('preValidation', askForConfirmation(services));
      refuseNulInBodies(api);
      announceChanges(api, services);
      for (const room of rooms) room.api?.(api);
    },
    { prefix: '/api' },
  );
  serveDocs(base);
  await serveDashboard(base);
  return base;
}

/** The routes of every room. */
function routesOfRooms(given: BaseServices): RoomRoutes[] {
  const services = {
    ...given,
    endAuthority,
    describe: describeRequests(given.db),
    receiving: receivingServices(given),
  };
  return [
    pages(services),
    requests(services),
    webhooks(services),
    sources(services),
    moments(services),
    schedules(services),
    covers(services),
    planning(services),
    handoffs(services),
    views(services),
    availability(services),
    calendars(services),
    notifications(services),
    people({ ...services, shiftsOfPeople: { onCallAt, shiftsAhead } }),
    sessions(services),
    keys(services),
    installation(services),
    apply(services),
    problems(services),
    notices(services),
    reports(services),
    pay(services),
    worker(services),
  ];
}

/** Accepts the calls of senders, on its own connections. */
function receivingServices(services: BaseServices): ReceivingServices {
  return {
    ...services,
    db: services.acceptDb,
    isLow: () => services.room.isLow(),
    wake(kind) {
      services.metrics.accepted.inc({ kind });
      services.wakeCalls();
    },
    refused: (organizationId) => services.changedRooms.announce(organizationId, ['notifications']),
  };
}

/** Authenticates callers of the routes for people and programs. */
function doorOf(services: BaseServices): DoorServices {
  return { ...services, roleOf: (...who) => roleOf(services.db, ...who) };
}

/** The outcome of a request: its page, its moments, or both. */
function describeRequests(db: Database): Describe {
  return async (organizationId, { id, kind }) => {
    if (kind === 'page.team' || kind === 'page.person')
      return { page: await findStatusPage(db, organizationId, id) };
    const moments = await momentsOfRequest(db, organizationId, id);
    return kind === 'source' ? { pages: await pagesOfRequest(db, organizationId, id), moments } : { moments };
  };
}

/** The listener of a worker, which has no API: only the routes for operators and load balancers. */
export async function createProbeListener(
  services: HealthServices & MetricsServices & { config: Config; log: Log },
): Promise<FastifyInstance> {
  const probes = await createListener({
    config: services.config,
    log: services.log,
    bodyLimit: 1_024,
    names: services.config,
  });
  healthRoutes(probes, services);
  metricsRoute(probes, services);
  return probes;
}

/** Only `/metrics`, on `METRICS_PORT`: plain HTTP for a collector in the same network. */
export async function createMetricsListener(
  services: MetricsServices & { log: Log },
): Promise<FastifyInstance> {
  const config = { tls: null, trustProxy: false };
  const listener = await createListener({ config, log: services.log, bodyLimit: 1_024, names: null });
  metricsListenerRoute(listener, services);
  return listener;
}
