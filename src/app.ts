import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import type { Config } from './config.ts';
import { type Clock, databaseClock } from './db/clock.ts';
import { createDatabase, createPool, type Database, warmPool } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { type BaseServices, createBaseListener, createProbeListener } from './http/base-listener.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createUploadListener } from './http/upload-listener.ts';
import { checkInstallation, openSealing, openVapid } from './installation/secrets.ts';
import { createKeys } from './keys/authenticate.ts';
import { createBudgets } from './keys/budget.ts';
import { createFetchText } from './kit/fetch-text.ts';
import type { Log } from './kit/log.ts';
import { createAnswers } from './notifications/answers.ts';
import { buildChannels } from './notifications/channels/registry.ts';
import { claimDeliveries } from './notifications/claim.ts';
import { createLiveDashboards } from './notifications/dashboards/live.ts';
import { createNotifier } from './notifications/notifier.ts';
import { findOutgoing } from './notifications/outcome-store.ts';
import { compose, createSender, type Sender } from './notifications/sender.ts';
import type { Notifier } from './pages/notifier.ts';
import { createRaiser } from './pages/raise.ts';
import { createChannelProblems } from './problems/channel-problems.ts';
import { createRequestWatch } from './requests/watch.ts';
import { createSessions } from './sessions/sessions.ts';
import { createWebhookHealth } from './webhooks/health.ts';
import { processNotifications } from './webhooks/process.ts';
import { createWebhookTokens } from './webhooks/tokens.ts';
import { createDuties, type Duties } from './worker/duties.ts';
import { createEngine, type Engine } from './worker/engine.ts';
import { everyDuty } from './worker/every-duty.ts';
import { createHints } from './worker/hints.ts';
import { type Node, startNode } from './worker/node.ts';
import { notifyConfirmed } from './worker/store.ts';

export type AppOptions = {
  config: Config;
  connection: ClientConfig;
  log: Log;
  /** Stories move their own clock; everybody else takes the database's. */
  clock?: Clock;
  /** False: nothing runs by itself, whoever built it calls `engine.drain()`. */
  automatic?: boolean;
};

export type App = {
  config: Config;
  db: Database;
  clock: Clock;
  engine: Engine;
  duties: Duties;
  metrics: Metrics;
  base: FastifyInstance;
  /** Opens the listeners; resolves when requests are answered. */
  listen(): Promise<void>;
  /** Ends in order: no new requests, what is under way, connections. Nothing that was accepted is lost. */
  stop(): Promise<void>;
};

/**
 * Puts the whole service together on a database. Two pools: what people and programs ask for, and what pages need to
 * go on; however busy the first is, the second stays free.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, connection, log } = options;
  const clock = options.clock ?? databaseClock;
  let stopping = false;
  const onError = (error: Error) => {
    // While we end, the embedded database cuts off what is not quite closed yet.
    if (!stopping) log.warn({ err: error }, 'a database connection broke');
  };
  const pools = {
    api: createPool({ connection, max: 12, name: 'tocsin api', onError, keepIdle: true }),
    engine: createPool({ connection, max: 10, name: 'tocsin engine', onError, keepIdle: true }),
  };
  const db = createDatabase(pools.api);
  const engineDb = createDatabase(pools.engine);

  const applied = await migrate(connection);
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');
  const sealing = await openSealing(config);
  await checkInstallation(db, clock, sealing);

  const metrics = createMetrics();
  const problems = createChannelProblems(engineDb, clock, log);
  const health = createWebhookHealth(engineDb, clock);
  const fetchText = createFetchText({ deadlineMs: 5_000, mostBytes: 64 * 1_024, allowPrivate: false });
  const vapid = await openVapid(config);
  const { channels, dashboards } = buildChannels({ ...config, vapid });
  let serving = false;
  let node: Node | null = null;
  const nodeId = () => node?.id ?? 0;

  const sender: Sender = createSender({
    db: engineDb,
    clock,
    log,
    channels,
    sealing,
    publicUrl: config.publicUrl,
    node: nodeId,
    onOutcome: (sent, outcome) => metrics.deliveries.inc({ channel: sent.channel, outcome: outcome.kind }),
    onProblem: (channel, problem, error) =>
      problem ? problems.failed(channel, problem, error) : problems.worked(channel),
  });
  const notifier: Notifier = createNotifier({
    node: nodeId,
    dispatch: (ids) => sender.dispatch(ids),
    room: () => sender.room(),
    full: () => sender.full(),
  });
  const engine = createEngine({
    db: engineDb,
    clock,
    log,
    notifier,
    sender,
    nodeId,
    processNotifications: (limit, standBack) =>
      processNotifications({ db: engineDb, clock, log, health, fetchText, standBack }, limit),
  });
  const works = config.role !== 'api';
  const sendToDashboards = async () => {
    if (nodeId() === 0) return;
    const which = { limit: 100, dashboardsOnly: true };
    sender.dispatch((await claimDeliveries(engineDb, clock, nodeId(), which)).ids);
  };
  const hint = createHints(db);
  const wake = works ? () => engine.wake() : hint;
  const keys = createKeys(db, clock);
  const sessions = createSessions(db, clock);
  const live = createLiveDashboards({
    db,
    clock,
    log,
    dashboards,
    node: nodeId,
    stillGood: (passes) => sessions.stillGood(passes),
    sendWaiting: works ? async () => undefined : sendToDashboards,
  });
  const tokens = createWebhookTokens(db, clock, sealing);
  const watch = createRequestWatch(db);
  const actions = { db, clock, notifier };
  const services: BaseServices = {
    ...actions,
    config,
    log,
    metrics,
    pools,
    role: config.role,
    node: nodeId,
    serving: () => serving,
    keys,
    sessions,
    live,
    dashboards,
    confirmElsewhere: (deliveryId, userId) => notifyConfirmed(db, deliveryId, userId),
    vapidPublicKey: vapid.publicKey,
    wake,
    budgets: createBudgets(config.rateLimit),
    sealing,
    raiser: createRaiser({
      ...{ db, clock, log },
      wake(kind) {
        metrics.accepted.inc({ kind });
        wake();
      },
    }),
    watch,
    tokens,
    health,
    wakeNotifications: works ? () => engine.wakeNotifications() : hint,
    answers: createAnswers({
      ...actions,
      wake,
      async readNotification(deliveryId) {
        const [outgoing] = await findOutgoing(db, clock, [deliveryId], null);
        return outgoing
          ? {
              notification: compose(outgoing, { sealing, publicUrl: config.publicUrl }),
              address: outgoing.address,
            }
          : null;
      },
    }),
  };
  const duties = createDuties(
    everyDuty({ db: engineDb, clock, log, config, keys, sessions, tokens, problems, health, node: nodeId }),
    log,
  );
  const base =
    works && config.role === 'worker'
      ? await createProbeListener(services)
      : await createBaseListener(services);
  const upload = config.role === 'worker' ? null : await createUploadListener(services);

  node = await startNode(connection, {
    db: engineDb,
    clock,
    log,
    role: config.role,
    onHint: () => works && wakeAll(engine),
    onConfirmed: (deliveryId, userId) => dashboards.confirm(deliveryId, userId),
  });
  if (works && options.automatic !== false) {
    engine.start();
    duties.start();
  }

  return {
    config,
    db,
    clock,
    engine,
    duties,
    metrics,
    base,
    async listen() {
      await Promise.all([warmPool(pools.api, 4), warmPool(pools.engine, 6)]);
      serving = true;
      await base.listen({ host: config.host, port: config.port });
      await upload?.listen({ host: config.host, port: config.uploadPort });
    },
    async stop() {
      serving = false;
      stopping = true;
      watch.stop();
      await live.stop();
      await Promise.all([base.close(), upload?.close()]);
      await duties.stop();
      await engine.stop();
      await Promise.allSettled([
        keys.flushUses(),
        sessions.flushUses(),
        tokens.flushUses(),
        problems.flush(),
        health.flush(),
      ]);
      await node?.stop();
      await Promise.all([pools.api.end(), pools.engine.end()]);
    },
  };
}

function wakeAll(engine: Engine): void {
  engine.wake();
  engine.wakeNotifications();
}
