import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { applyApiRoutes } from '../apply/api-routes.ts';
import { recordRoutes } from '../availability/record-routes.ts';
import type { SourceServices } from '../availability/sources.ts';
import { availabilitySourceRoutes } from '../availability/sources-routes.ts';
import type { Spool } from '../availability/spool.ts';
import { uploadApiRoute } from '../availability/upload-api-route.ts';
import { feedApiRoutes, feedRoutes } from '../calendars/feed-routes.ts';
import { holidayRoutes } from '../calendars/holiday-routes.ts';
import type { Config } from '../config.ts';
import { coverApiRoutes } from '../covers/api-routes.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { handoffRoutes } from '../handoffs/api-routes.ts';
import { firstRunApiRoutes } from '../installation/first-run-api-routes.ts';
import { keyApiRoutes } from '../keys/api-routes.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Lifeboat } from '../lifeboat/boat.ts';
import { momentApiRoutes } from '../moments/api-routes.ts';
import { momentsOfRequest } from '../moments/store.ts';
import { noticeApiRoutes } from '../notices/api-routes.ts';
import { acknowledgeRoutes } from '../notifications/acknowledge-routes.ts';
import { type Channels, callbackRoutes } from '../notifications/channels/registry.ts';
import { channelApiRoutes } from '../notifications/channels-api-routes.ts';
import type { ChangedRooms } from '../notifications/dashboards/announcements.ts';
import { type DashboardApiServices, dashboardApiRoutes } from '../notifications/dashboards/api-routes.ts';
import type { InboundPorts } from '../notifications/inbound/ports.ts';
import { previewApiRoutes } from '../notifications/preview-routes.ts';
import type { ActionServices } from '../pages/actions.ts';
import { pageApiRoutes } from '../pages/api-routes.ts';
import { composeApiRoutes } from '../pages/compose-api-routes.ts';
import type { Raiser } from '../pages/raise.ts';
import { findStatusPage, pagesOfRequest } from '../pages/read-store.ts';
import { keyedPageRoutes, pageRoutes } from '../pages/routes.ts';
import { peopleApiRoutes } from '../people/api-routes.ts';
import { methodApiRoutes } from '../people/methods/api-routes.ts';
import type { Courier } from '../people/methods/courier.ts';
import { organizationApiRoutes } from '../people/organization-api-routes.ts';
import { personApiRoutes } from '../people/persons/api-routes.ts';
import type { Means } from '../people/reachability.ts';
import { ruleApiRoutes } from '../people/rule-routes.ts';
import { teamApiRoutes } from '../people/team-api-routes.ts';
import { planApiRoutes } from '../planning/drafts/api-routes.ts';
import { leavingApiRoutes } from '../planning/leaving-routes.ts';
import { scheduleSettingsRoutes } from '../planning/settings-routes.ts';
import type { Solver } from '../planning/threads/solver.ts';
import { problemApiRoutes } from '../problems/api-routes.ts';
import { reportApiRoutes } from '../reports/api-routes.ts';
import type { Safety } from '../requests/accept.ts';
import { requestApiRoutes } from '../requests/api-routes.ts';
import { requestRoutes } from '../requests/routes.ts';
import type { Describe } from '../requests/status.ts';
import type { RequestWatch } from '../requests/watch.ts';
import { scheduleApiRoutes } from '../schedules/api-routes.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { savedOnCallRoutes } from '../schedules/saved/api-routes.ts';
import type { SavedLists } from '../schedules/saved/keeper.ts';
import { timelineRoutes } from '../schedules/timeline-routes.ts';
import { uncoveredRoutes } from '../schedules/uncovered-routes.ts';
import { accountApiRoutes } from '../sessions/account/api-routes.ts';
import { sessionApiRoutes } from '../sessions/api-routes.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { endAuthority } from '../sessions/authority.ts';
import { askForConfirmation } from '../sessions/confirmed.ts';
import { acceptApiRoutes } from '../sessions/invitations/accept-api-routes.ts';
import { invitationApiRoutes } from '../sessions/invitations/api-routes.ts';
import { identityApiRoutes } from '../sessions/oidc/identity-api-routes.ts';
import { oidcRoutes } from '../sessions/oidc/routes.ts';
import { type DoorServices, requireSession, type SavedSessions } from '../sessions/require-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { signInApiRoutes } from '../sessions/sign-in-api-routes.ts';
import { signInRoutes } from '../sessions/sign-in-routes.ts';
import { roleOf } from '../sessions/store.ts';
import { sourceApiRoutes } from '../sources/api-routes.ts';
import type { DialectHeartbeats } from '../sources/dialects/heartbeats.ts';
import { dialectRoutes } from '../sources/dialects/routes.ts';
import { createFirstEvents } from '../sources/first-events.ts';
import { heartbeatRoutes } from '../sources/heartbeat-routes.ts';
import { noteBeat, noteNamedBeat, teamHeartbeats } from '../sources/heartbeat-store.ts';
import { createHashKey } from '../sources/key.ts';
import { sourcePageRoutes } from '../sources/page-routes.ts';
import { createTries, type Tries } from '../sources/try.ts';
import { tryRoutes } from '../sources/try-routes.ts';
import { windowRoutes } from '../sources/windows-routes.ts';
import { webhookApiRoutes } from '../webhooks/api-routes.ts';
import { callApiRoutes } from '../webhooks/call-api-routes.ts';
import type { WebhookHealth } from '../webhooks/health.ts';
import type { ReceivingServices } from '../webhooks/receiving.ts';
import { momentRoutes } from '../webhooks/routes.ts';
import { webhookTestRoutes } from '../webhooks/test-api-routes.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import { systemApiRoutes } from '../worker/api-routes.ts';
import type { Room } from '../worker/room.ts';
import { announceChanges } from './announce-changes.ts';
import { type CheckAnswer, checkAnswers } from './check-answers.ts';
import { serveDashboard } from './dashboard.ts';
import { describeApi, serveDocs } from './docs.ts';
import { safeHeaders } from './headers.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { type MetricsServices, metricsListenerRoute, metricsRoute } from './metrics-routes.ts';
import { misdirectUploads } from './misdirected.ts';
import { observeAnswers } from './observe.ts';

const JSON_LIMIT = 256 * 1024;
/** The most heartbeats in one answer to a client of Opsgenie. */
const MOST_HEARTBEATS = 1_000;

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
    /** Takes pages while the database is away; null without one. */
    lifeboat: Pick<Lifeboat, 'hook'> | null;
    savedLists: SavedLists;
    savedSessions: SavedSessions;
    attempts: Attempts;
    /** Informs open dashboards of changes. */
    changedRooms: ChangedRooms;
    vapidPublicKey: string;
    solver: Solver;
    /** Where uploads are stored until they are processed. */
    spool: Spool;
    /** Removes disabled people from the pages that are to notify them. */
    personDisabled(): Promise<unknown>;
    room: Room;
    /** Wakes the engine, because something may be due now. */
    wake(): void;
    budgets: Budgets;
    safety: Safety;
    sealing: Sealing;
    calendars: SourceServices['calendars'];
    raiser: Raiser;
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
    /** Sees every answer of the base and the upload listener; null outside tests. */
    checkAnswer: CheckAnswer | null;
  };

/** The public API, webhooks, callbacks and the dashboard, on `PORT`. */
export async function createBaseListener(services: BaseServices): Promise<FastifyInstance> {
  const { config, log } = services;
  const base = await createListener({ config, log, bodyLimit: JSON_LIMIT, names: config });
  services.lifeboat?.hook(base);
  observeAnswers(base, services.metrics);
  if (services.checkAnswer) checkAnswers(base, services.checkAnswer);
  await base.register(helmet, safeHeaders(config.publicUrl));
  await base.register(cookie);
  await describeApi(base, config);
  const tries = createTries(services);
  base.register(async (routes) => {
    healthRoutes(routes, services);
    metricsRoute(routes, services);
    pageRoutes(routes, services);
    keyedPageRoutes(routes, services);
    requestRoutes(routes, { ...services, describe: describeRequests(services.db) });
    const receiving: ReceivingServices = {
      ...services,
      db: services.acceptDb,
      isLow: () => services.room.isLow(),
      wake(kind) {
        services.metrics.accepted.inc({ kind });
        services.wakeCalls();
      },
      refused: (organizationId) => services.changedRooms.announce(organizationId, ['notifications']),
    };
    momentRoutes(routes, { ...receiving, keys: services.keys });
    const firstEvents = createFirstEvents(services.acceptDb, config.rateLimit);
    sourcePageRoutes(routes, { ...receiving, tries, firstEvents });
    const heartbeats: DialectHeartbeats = {
      note: async ({ id }) => (await noteBeat(services.acceptDb, services.clock, id)) !== null,
      beat: (source, name) => noteNamedBeat(services.acceptDb, services.clock, source.id, name),
      list: (source, name) =>
        teamHeartbeats(services.db, services.clock, source.id, { name, limit: MOST_HEARTBEATS }),
    };
    dialectRoutes(routes, {
      ...receiving,
      ...{ readDb: services.db, watch: services.watch, heartbeats, firstEvents, tries },
      hashKey: createHashKey(services.acceptDb, services.sealing),
    });
    scheduleRoutes(routes, services);
    heartbeatRoutes(routes, { ...services, db: services.acceptDb });
    feedRoutes(routes, services);
    acknowledgeRoutes(routes, services);
    misdirectUploads(routes, config.uploadUrl);
    signInRoutes(routes, services);
    oidcRoutes(routes, services);
  });
  base.register(async (scope) => mcpRoutes(scope, base, doorOf(services)));
  base.register(async (api) => openApi(api, services), { prefix: '/api' });
  base.register(async (api) => dashboardApi(api, { ...services, tries }), { prefix: '/api' });
  registerCallbacks(base, services);
  serveDocs(base);
  await serveDashboard(base);
  return base;
}

/** What decides who is let in to the routes for people and programs. */
function doorOf(services: BaseServices): DoorServices {
  return { ...services, roleOf: (...who) => roleOf(services.db, ...who) };
}

/** The routes for signing in and setting up: the only ones of `/api` that need no session. */
function openApi(api: FastifyInstance, services: BaseServices): void {
  signInApiRoutes(api, services);
  firstRunApiRoutes(api, services);
  acceptApiRoutes(api, services);
}

/** All other routes of the dashboard; each needs a session or an API key. */
function dashboardApi(api: FastifyInstance, services: BaseServices & { tries: Tries }): void {
  api.addHook('onRequest', requireSession(doorOf(services)));
  // Runs before the body is validated, so that validation errors reveal nothing about forbidden routes.
  api.addHook('preValidation', askForConfirmation(services));
  announceChanges(api, services);
  sessionApiRoutes(api, services);
  accountApiRoutes(api, services);
  invitationApiRoutes(api, services);
  identityApiRoutes(api, services);
  pageApiRoutes(api, services);
  composeApiRoutes(api, services);
  previewApiRoutes(api, services);
  requestApiRoutes(api, { ...services, describe: describeRequests(services.db) });
  organizationApiRoutes(api, services);
  channelApiRoutes(api, services);
  systemApiRoutes(api, services);
  scheduleApiRoutes(api, services);
  handoffRoutes(api, services);
  savedOnCallRoutes(api, services);
  coverApiRoutes(api, services);
  availabilitySourceRoutes(api, services);
  feedApiRoutes(api, services);
  holidayRoutes(api, services);
  uncoveredRoutes(api, services);
  scheduleSettingsRoutes(api, services);
  planApiRoutes(api, services);
  timelineRoutes(api, services);
  recordRoutes(api, services);
  uploadApiRoute(api, services);
  peopleApiRoutes(api, services);
  methodApiRoutes(api, services);
  ruleApiRoutes(api, services);
  personApiRoutes(api, { ...services, endAuthority });
  leavingApiRoutes(api, services);
  teamApiRoutes(api, services);
  problemApiRoutes(api, services);
  noticeApiRoutes(api, services);
  reportApiRoutes(api, services);
  momentApiRoutes(api, services);
  webhookApiRoutes(api, services);
  sourceApiRoutes(api, services);
  callApiRoutes(api, services);
  webhookTestRoutes(api, services);
  windowRoutes(api, services);
  tryRoutes(api, services);
  applyApiRoutes(api, services);
  keyApiRoutes(api, services);
  dashboardApiRoutes(api, services);
}

function registerCallbacks(base: FastifyInstance, { config, answers: ports }: BaseServices): void {
  for (const routes of callbackRoutes(config, ports)) base.register(routes);
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
