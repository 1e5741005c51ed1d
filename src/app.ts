import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { createSpool, removeLeftSpools } from './availability/spool.ts';
import { CALENDAR_LIMITS } from './calendars/fetching.ts';
import { createReadCalendar } from './calendars/reading.ts';
import type { Config } from './config.ts';
import { divideConnections } from './db/budget.ts';
import { type Clock, databaseClock } from './db/clock.ts';
import { endPool } from './db/connection.ts';
import { createDatabase, createPool, type Database, type Tx, warmPool } from './db/database.ts';
import { connectionFigures, createLanes } from './db/lanes.ts';
import { migrate } from './db/migrate.ts';
import { migrateWhileServing, type WhileServing } from './db/migrate-while-serving.ts';
import { createPrimary } from './db/primary.ts';
import { createRotation } from './db/turns.ts';
import { createWrites } from './db/writes.ts';
import {
  type BaseServices,
  createBaseListener,
  createMetricsListener,
  createProbeListener,
} from './http/base-listener.ts';
import type { CheckAnswer } from './http/check-answers.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createUploadListener } from './http/upload-listener.ts';
import { firstRunLink } from './installation/first-run.ts';
import { checkPushKey } from './installation/push-keys.ts';
import { checkInstallation, openInstallation, openVapid } from './installation/secrets.ts';
import { createKeys } from './keys/authenticate.ts';
import { createBudgets } from './keys/budget.ts';
import { createFetchDocument } from './kit/fetch-text.ts';
import type { Log } from './kit/log.ts';
import { type ApplySignals, applyAnswers, noteAnswers } from './lifeboat/answers.ts';
import type { Lifeboat, Shore } from './lifeboat/boat.ts';
import { STAND_BY_MARK, type StandBy, standByWarning } from './lifeboat/contract.ts';
import { sendAllClears } from './notifications/all-clears/send.ts';
import { createAnswers } from './notifications/answers.ts';
import { type ChannelSettings, loadProviders } from './notifications/channels/registry.ts';
import { claimDeliveries } from './notifications/claim.ts';
import { createChangedRooms, createHeardElsewhere } from './notifications/dashboards/announcements.ts';
import { createLiveDashboards } from './notifications/dashboards/live.ts';
import { releaseDisabledPeople } from './notifications/disabled.ts';
import { findOutgoing } from './notifications/outcome-store.ts';
import { createOutgoing } from './notifications/outgoing.ts';
import { createProviders } from './notifications/providers.ts';
import { acknowledgePage } from './pages/actions.ts';
import { applySignals } from './pages/keyed.ts';
import type { PageKey } from './pages/keyed-store.ts';
import { createRaiser } from './pages/raise.ts';
import { createSolver } from './planning/threads/solver.ts';
import { createChannelProblems } from './problems/channel-problems.ts';
import { createMethodProblems } from './problems/method-problems.ts';
import { createRecovery } from './requests/recovery.ts';
import { createRequestWatch } from './requests/watch.ts';
import { createSavedLists, type SavedLists } from './schedules/saved/keeper.ts';
import { createAttempts } from './sessions/attempts.ts';
import { createSessions } from './sessions/sessions.ts';
import { checkHeartbeats, createAccepting } from './sources/heartbeat-watch.ts';
import { createPaging } from './sources/paging.ts';
import { raiseWaiting } from './sources/waiting.ts';
import { windowsFor } from './sources/windows.ts';
import { createByteBudgets, KEPT_BYTES } from './webhooks/byte-budget.ts';
import { reachSenders } from './webhooks/certificates.ts';
import { type CallOrigin, createWebhookHealth } from './webhooks/health.ts';
import { type CallWorker, keepsWithin, processCalls, processCallsOfOthers } from './webhooks/process.ts';
import { createWebhookTokens } from './webhooks/tokens.ts';
import { arrive } from './worker/arrival.ts';
import { createDuties, type Duties, type Duty } from './worker/duties.ts';
import { createEngine, type Engine } from './worker/engine.ts';
import { everyDuty } from './worker/every-duty.ts';
import { createHints } from './worker/hints.ts';
import { createLookout } from './worker/lookout.ts';
import { type Node, startNode } from './worker/node.ts';
import { createPublicAddress } from './worker/public-address.ts';
import { createRoom } from './worker/room.ts';
import { notifyChanged, notifyConfirmed, notifyHeard, notifyProviders } from './worker/store.ts';
import { receiverAddress, withReceiver } from './worker/synthetic/receiver.ts';

export type AppOptions = {
  config: Config;
  connection: ClientConfig;
  /** Bypasses the pooler of `connection`; null or left out if there is no pooler. */
  direct?: ClientConfig | null;
  log: Log;
  /** Stories pass a clock that they can move; the default is the database's. */
  clock?: Clock;
  /** False: nothing runs by itself, the caller runs `engine.drain()`, and connections are opened when they are needed. For tests. */
  automatic?: boolean;
  /** False: nobody who sends pages or events has to wait for those that wait to be worked on. For tests. */
  isPaced?: boolean;
  /** The interval of beats on dashboards' streams, 20 s by default. Tests shorten it. */
  beatMs?: number;
  /** Times this process, `performance.now` by default. Stories that move the clock stop it. */
  elapsedMs?: () => number;
  /** Tests compare every answer with the schema of its route. */
  checkAnswer?: CheckAnswer;
  /** Accepts pages while this database is away; left out without a lifeboat. */
  lifeboat?: Lifeboat;
  /** This is the service on the database of a lifeboat, which only accepts and sends pages. */
  standBy?: StandBy;
  /** Shared with another service of this process. */
  metrics?: Metrics;
};

export type App = {
  config: Config;
  db: Database;
  clock: Clock;
  engine: Engine;
  duties: Duties;
  metrics: Metrics;
  base: FastifyInstance;
  /** Null for workers, which accept no uploads. */
  upload: FastifyInstance | null;
  /** The link that creates the first owner; null if an owner exists. */
  firstRunLink(): Promise<string | null>;
  /** The pool that accepts pages. */
  acceptDb: Database;
  /** The parts of the service on the main database that a lifeboat needs. */
  shore: Shore;
  /** Answers requests that another listener of this process passes on; resolves when it is ready. */
  serveBehind(): Promise<void>;
  /** Opens the listeners; resolves when they answer requests. */
  listen(): Promise<void>;
  /** Makes `/readyz` fail, so that load balancers stop sending requests. Requests that arrive are still answered. */
  drain(): void;
  /**
   * Shuts down in order: refuses new requests, finishes running work, closes connections. No accepted request is lost.
   */
  stop(): Promise<void>;
};

/**
 * Builds the whole service on a database, with two connection pools: one with lanes for accepting pages, moments and
 * answers, for the work on pages and for periodic work; and one for all other requests of people and programs. A storm in
 * one cannot block another (docs/decisions/0187).
 */
export async function createApp(options: AppOptions): Promise<App> {
  const ends: (() => unknown)[] = [];
  try {
    return await buildApp(options, (end) => ends.push(end));
  } catch (error) {
    // The caller may try again, for example when the database is back.
    await Promise.allSettled(ends.toReversed().map(async (end) => end()));
    throw error;
  }
}

/** `onFailure` is called with everything that has to be ended if the rest cannot be built. */
async function buildApp(options: AppOptions, onFailure: (end: () => unknown) => void): Promise<App> {
  const { config, connection, log, standBy } = options;
  const isStandBy = Boolean(standBy);
  const pooled = Boolean(options.direct);
  const direct = options.direct ?? connection;
  const clock = options.clock ?? databaseClock;
  let stopping = false;
  const onError = (error: Error) => {
    // During the shutdown, the embedded database breaks connections that are not closed yet.
    if (!stopping) log.warn({ err: error }, 'a database connection broke');
  };
  const writes = createWrites();
  // The embedded database cannot fail over to another server.
  const recovery =
    direct.connectionString === undefined
      ? null
      : createRecovery(log, { lastWriteAt: () => writes.succeededAt });
  const primary = createPrimary({
    ...{ connection: direct, log },
    onArrival: (client) => arrive(client, { clock, log, recovery }),
  });
  const shared = { connection, pooled, onError, keepIdle: true, primary };
  const budget = divideConnections(config.databaseConnections, Boolean(options.lifeboat));
  const pools = {
    paging: createPool({ ...shared, max: budget.paging.size, name: 'tocsin paging', byIndex: true }),
    api: createPool({ ...shared, max: budget.api, name: 'tocsin api' }),
  };
  const lanes = createLanes(pools.paging, budget.paging.lanes);
  onFailure(() => {
    stopping = true;
    primary.stop();
    return Promise.all(Object.values(pools).map(endPool));
  });
  const acceptDb = createDatabase(lanes.accept);
  const db = createDatabase(pools.api);
  const engineDb = createDatabase(lanes.engine);

  const applied = await migrate(direct);
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');
  const sealing = await openInstallation(db, clock, config);

  const savedLists = createSavedLists({ dataDir: config.dataDir, sealing, log });
  if (config.role !== 'worker' && !standBy) await savedLists.load();
  const metrics = options.metrics ?? createMetrics();
  const problems = createChannelProblems(engineDb, clock, log);
  const health = createWebhookHealth(engineDb, clock);
  const methodProblems = createMethodProblems(engineDb, clock);
  const senders = reachSenders();
  const calendars = {
    fetchDocument: createFetchDocument({ ...CALENDAR_LIMITS, allowPrivate: config.allowPrivateWebhooks }),
    readCalendar: createReadCalendar(),
  };
  const vapid = await openVapid(config);
  await checkPushKey({ db, clock, log }, vapid.publicKey);
  const address = createPublicAddress(config);
  await address.learn(db);
  let serving = false;
  let draining = false;
  let node: Node | null = null;
  let migrating: WhileServing | null = null;
  const nodeId = () => node?.id ?? 0;

  const settings: ChannelSettings & { titleMark: string } = {
    ...{ ...config, vapid },
    titleMark: standBy ? STAND_BY_MARK : '',
    get publicUrl() {
      return address.current;
    },
  };
  const providers = createProviders({ settings, config, sealing, log, onSetUp: loadProviders });
  await providers.learn(db);
  const outgoing = createOutgoing({
    ...{ engineDb, db, clock, log, settings, sealing, problems, methodProblems, node: nodeId },
    onOutcome: (channel, outcome) => metrics.deliveries.inc({ channel, outcome }),
    wakeAllClears: (channels) => works && engine.wakeAllClears(channels),
  });
  const { channels, dashboards, sender, notifier, courier, messages } = outgoing;
  const { means } = courier;
  if (config.syntheticPages) channels.webhook = withReceiver(channels.webhook, receiverAddress(sealing));
  const changedRooms = createChangedRooms((organizationId, rooms) =>
    notifyChanged(db, organizationId, rooms),
  );
  const handled = (organizationIds: ReadonlySet<string>) => {
    for (const id of organizationIds) changedRooms.announce(id, ['moments', 'notifications']);
  };
  const room = createRoom(engineDb, config);
  const keeps = standBy
    ? () => !room.isLow() // The main database reads the calls again when the lifeboat lands.
    : keepsWithin(createByteBudgets(KEPT_BYTES), () => room.isLow());
  const actions = { db, clock, notifier, means };
  const firstSteps = { mayRun: () => works && engine.mayRunSteps(), log };
  const applyLater: ApplySignals = async (tx, signals) =>
    applySignals(tx, actions, await clock.now(tx), signals);
  const noting = standBy
    ? { noteAnswers }
    : { applyNoted: (tx: Tx, keys: readonly PageKey[]) => applyAnswers(tx, keys, applyLater) };
  const events = {
    ...{ db: engineDb, clock, notifier, means, firstSteps, windowsFor, ...noting },
    wake: () => engine.wake(),
    tooManyWaiting: (origin: CallOrigin, problem: string) => health.failed(origin, 'waiting', problem),
  };
  const paging = createPaging(events);
  const holdsBack = () => options.lifeboat?.holdsSteps ?? false;
  const holdsCalls = () => options.lifeboat?.holdsBack ?? false;
  const callWorker: CallWorker = {
    ...{ db: engineDb, clock, log, health, keeps, paging, handled, ...senders },
    momentsLater: isStandBy,
    node: nodeId,
    rotation: createRotation(),
    busy: null,
  };
  const turnsOfOthers = createRotation();
  const engine = createEngine({
    db: engineDb,
    clock,
    log,
    notifier,
    means,
    sender,
    nodeId,
    readOnly: () => primary.foundReadOnly(),
    mayTakeOver: () => node?.mayTakeOver() ?? true,
    holdsBack,
    holdsCalls,
    processCalls(limit, standBack) {
      callWorker.standBack = standBack;
      return processCalls(callWorker, limit);
    },
    processCallsOfOthers: () => processCallsOfOthers(callWorker, turnsOfOthers),
    raiseWaiting: (limit) => raiseWaiting({ ...events, log }, limit),
    sendAllClears: (channel) => sendAllClears(outgoing.allClears, channel),
  });
  const works = config.role !== 'api';
  const dashboardTurns = createRotation();
  const sendToDashboards = async () => {
    if (nodeId() === 0) return;
    const which = { limit: 100, dashboardsOnly: true, rotation: dashboardTurns };
    sender.dispatch((await claimDeliveries(engineDb, clock, nodeId(), which)).ids);
  };
  const hint = createHints(acceptDb, log);
  const wake = works ? () => engine.wake() : hint;
  const keys = createKeys(acceptDb, clock, { isStandBy });
  const sessions = createSessions(db, clock);
  const live = createLiveDashboards({
    db,
    clock,
    log,
    dashboards,
    node: nodeId,
    stillGood: (passes) => sessions.stillGood(passes),
    sendWaiting: works ? async () => undefined : sendToDashboards,
    beatMs: options.beatMs,
  });
  const heardElsewhere = createHeardElsewhere((heard) => notifyHeard(db, heard));
  const tokens = createWebhookTokens(acceptDb, clock, sealing, { health, isStandBy });
  const watch = createRequestWatch(db, log);
  const solver = createSolver();
  if (!standBy) await removeLeftSpools(config.dataDir);
  const spool = createSpool(config.dataDir, () => room.isDiskLow());
  const safety = { recovery, writes, isPaced: options.isPaced ?? true };
  const warnings = standBy ? [standByWarning(standBy)] : [];
  const services: BaseServices = {
    ...{ isStandBy, warnings },
    solver,
    spool,
    room,
    ...{ safety, writes },
    changedRooms,
    ...actions,
    checkAnswer: options.checkAnswer ?? null,
    config,
    log,
    metrics,
    keepMetrics: options.automatic !== false,
    connections: () => connectionFigures(pools, lanes),
    role: config.role,
    lookedMsAgo: () => engine.lookedMsAgo(),
    node: nodeId,
    serving: () => serving,
    draining: () => draining,
    unapplied: () => migrating?.waiting() ?? [],
    lifeboat: options.lifeboat ?? null,
    keys,
    sessions,
    savedLists,
    savedSessions: savedLists.sessions,
    providers,
    providersChanged: () => notifyProviders(db),
    emails: () => settings.smtp !== null,
    attempts: createAttempts(db, clock),
    live,
    dashboards,
    channels,
    confirmElsewhere: (deliveryId, userId) => notifyConfirmed(db, deliveryId, userId),
    heardElsewhere,
    vapidPublicKey: vapid.publicKey,
    personDisabled: () => releaseDisabledPeople({ db: engineDb, clock }).finally(wake),
    wake,
    budgets: createBudgets(config.rateLimit),
    sealing,
    calendars,
    acceptDb,
    raiser: createRaiser({
      ...{ db: acceptDb, clock, log, means, notifier, safety },
      ...{ warnings, ...noting },
      wake,
      firstSteps,
      counted: (kind) => metrics.accepted.inc({ kind }),
    }),
    courier,
    watch,
    tokens,
    health,
    wakeCalls: works ? () => engine.wakeCalls() : hint,
    answers: createAnswers({
      ...actions,
      db: acceptDb,
      log,
      wake,
      async readNotification(deliveryId) {
        const [found] = await findOutgoing(acceptDb, clock, [deliveryId], null);
        return found ? { notification: outgoing.compose(found), address: found.address } : null;
      },
    }),
  };
  const lookout = createLookout({
    ...{ db, engineDb, writes, clock, log, sealing, engine, works, metrics, node: nodeId },
    holdsBack: holdsCalls,
    settings: config,
    room,
    // A separate raiser, so that metrics do not count synthetic pages as accepted. Its pages are sent by the workers, which they test.
    raiser: createRaiser({ db: acceptDb, clock, log, means, notifier, wake }),
  });
  const working = () =>
    everyDuty({
      db: createDatabase(lanes.duties),
      clock,
      solver,
      log,
      config,
      keys,
      sessions,
      tokens,
      ...{ problems, health, methodProblems, messages, sealing, calendars },
      checkHeartbeats: () => checkHeartbeats(events),
      coversChanged: (id) => changedRooms.announce(id, ['covers', 'schedules']),
      node: nodeId,
    });
  const accepting: Duty = {
    name: 'note that calls are accepted',
    everyMs: 2_000,
    run: createAccepting({
      ...{ db: acceptDb, clock, node: nodeId, accepts: () => serving },
      elapsedMs: options.elapsedMs ?? (() => performance.now()),
    }),
  };
  const duties = createDuties(
    // On stand-by, there is only work on pages.
    standBy
      ? []
      : [
          ...(config.role === 'worker' ? [] : [accepting, saving(savedLists, db, clock)]),
          ...(works ? working() : []),
          ...lookout,
          address.duty(engineDb),
          providers.duty(engineDb),
        ],
    log,
  );
  const base =
    works && config.role === 'worker'
      ? await createProbeListener(services)
      : await createBaseListener(services);
  const upload = config.role === 'worker' ? null : await createUploadListener(services);
  const collected = config.metrics.listener && (await createMetricsListener(services));
  for (const listener of [base, upload, collected]) if (listener) onFailure(() => listener.close());

  node = await startNode(direct, {
    db: engineDb,
    clock,
    log,
    primary,
    role: config.role,
    publicUrl: address.own,
    onHint: (to) => works && (to === null || to === nodeId()) && wakeAll(engine),
    onConfirmed: (deliveryId, userId) => dashboards.confirm(deliveryId, userId),
    onHeard: (streamId, userId) => live.heard(streamId, userId),
    onChanged: (organizationId, rooms) => live.changed(organizationId, rooms),
    // The duty tries again if it fails.
    onProviders: () =>
      void providers
        .learn(engineDb)
        .catch((error: unknown) => log.warn({ err: error }, 'could not read the providers')),
  });
  onFailure(() => node?.stop());
  // Check again, because the key may have been rotated before this node was registered.
  await checkInstallation(db, clock, sealing);
  if (options.automatic !== false) {
    if (works) engine.start();
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
    upload,
    firstRunLink: () => firstRunLink(db, sealing, config.publicUrl),
    acceptDb,
    shore: {
      recovery,
      wake,
      keeps,
      async acknowledge(pageId, actor) {
        await acknowledgePage(actions, pageId, actor);
      },
      applySignals: applyLater,
    },
    async serveBehind() {
      await base.ready();
      serving = true;
    },
    async listen() {
      if (options.automatic !== false) await Promise.all([warmPool(pools.paging), warmPool(pools.api)]);
      serving = true;
      await base.listen({ host: config.host, port: config.port });
      await upload?.listen({ host: config.host, port: config.uploadPort });
      if (config.metrics.listener) await collected?.listen(config.metrics.listener);
      migrating = migrateWhileServing({ db, direct, log });
    },
    drain() {
      draining = true;
    },
    async stop() {
      serving = false;
      stopping = true;
      watch.stop();
      await migrating?.stop();
      await live.stop();
      await Promise.all([base.close(), upload?.close(), collected?.close()]);
      await spool.clear();
      await duties.stop();
      await engine.stop();
      await Promise.all([changedRooms.stop(), heardElsewhere.stop()]);
      await Promise.allSettled([
        keys.flushUses(),
        sessions.flushUses(),
        tokens.flushUses(),
        problems.flush(),
        health.flush(),
        methodProblems.flush(),
      ]);
      await node?.stop();
      primary.stop();
      await Promise.all(Object.values(pools).map(endPool));
    },
  };
}

/** Saves the on-call list every minute, for the time when the database is away. */
function saving(savedLists: SavedLists, db: Database, clock: Clock): Duty {
  return {
    name: 'save the on-call list',
    everyMs: 60_000,
    run: () => savedLists.save(db, clock).then(() => false),
  };
}

function wakeAll(engine: Engine): void {
  engine.wake();
  engine.wakeCalls();
}
