import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/supervisor.ts';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { isDatabaseAway } from './db/away.ts';
import { type Connections, refuseForgetful, refusePooler } from './db/pooler.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { giveRootUp } from './installation/give-root-up.ts';
import {
  announceLink,
  DEMO_FILE,
  removeLinkFile,
  type SignInLink,
  WELCOME_FILE,
  welcome,
} from './installation/welcome.ts';
import type { Log } from './kit/log.ts';
import type { Lifeboat } from './lifeboat/boat.ts';
import { endOrphanedPlaces } from './lifeboat/place.ts';
import { loadProviders } from './notifications/channels/registry.ts';
import { createWaiting, type Waiting } from './waiting.ts';

/**
 * Prepares the database before the service starts. Returns a sign-in link for the person who starts it, if there is
 * one.
 */
export type Prepare = (connection: ClientConfig, signal: AbortSignal) => Promise<SignInLink | null>;

/**
 * Runs the server until SIGTERM, SIGINT or SIGHUP, then shuts down in order; the third signal ends it at once (a
 * repeat within a second does not count). After SIGTERM it first answers requests for DRAIN_SECONDS more, while
 * `/readyz` fails. Resolves when everything has stopped. `say` prints to the person who started it.
 */
export async function serve(
  config: Config,
  log: Log,
  say: (text: string) => void,
  prepare: Prepare = async () => null,
): Promise<void> {
  const ending = endOnSignal(log);
  const { signal } = ending;
  const metrics = createMetrics();
  let lifeboat: Lifeboat | null = null;
  try {
    lifeboat = await lifeboatOf(config, log, signal, metrics);
    await endOrphanedPlaces(config.dataDir, log);
    const database = await openDatabase(config, log, signal, lifeboat);
    try {
      if (config.databaseUrl === null) {
        const { snapshotBeforeUpgrade } = await import('./installation/snapshot.ts');
        await snapshotBeforeUpgrade(database.connection, config, log, signal);
      }
      const signInLink = await prepare(database.direct ?? database.connection, signal);
      signal.throwIfAborted();
      await serveOn({ ...database, lifeboat, metrics }, config, log, ending, say, signInLink);
    } finally {
      await database.waiting?.close();
      await database.stop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lifeboat?.stop();
    ending.forget();
  }
}

/** Only nodes that answer requests have one. */
async function lifeboatOf(
  config: Config,
  log: Log,
  signal: AbortSignal,
  metrics: Metrics,
): Promise<Lifeboat | null> {
  const main = config.databaseDirectUrl ?? config.databaseUrl;
  if (config.lifeboat === null || main === null || config.role === 'worker') return null;
  await loadProviders(config);
  const { openLifeboat } = await import('./lifeboat/boat.ts');
  // What it accepts and sends counts as this process's; its answers are measured by the listener that passes requests on.
  const crewMetrics: Metrics = {
    ...createMetrics(),
    accepted: metrics.accepted,
    deliveries: metrics.deliveries,
  };
  const lifeboat = await openLifeboat({
    ...{ dataDir: config.dataDir, log, signal },
    main: { connectionString: main },
    afterMs: config.lifeboat.afterSeconds * 1_000,
    async launch(connection, standBy) {
      const app = await createApp({
        ...{ config: crewConfig(config), connection, log, standBy },
        metrics: crewMetrics,
      });
      await app.serveBehind();
      return app;
    },
  });
  metrics.watchLifeboat(lifeboat);
  return lifeboat;
}

/** On stand-by, one process does everything, and nobody watches it from outside. */
function crewConfig(config: Config): Config {
  return {
    ...config,
    role: 'all',
    lifeboat: null,
    heartbeat: null,
    syntheticPages: false,
    metrics: { ...config.metrics, listener: null },
  };
}

/** `waiting`: for an external database, which may be away when the service starts. */
type OpenDatabase = Connections & { waiting: Waiting | null; stop(): Promise<void> };

async function openDatabase(
  config: Config,
  log: Log,
  signal: AbortSignal,
  lifeboat: Lifeboat | null,
): Promise<OpenDatabase> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (databaseUrl) {
    const waiting = createWaiting(
      config,
      { connectionString: databaseDirectUrl ?? databaseUrl },
      log,
      signal,
      lifeboat,
    );
    try {
      const connections = await waiting.until(() => externalDatabase(databaseUrl, databaseDirectUrl));
      return { ...connections, waiting, stop: async () => undefined };
    } catch (error) {
      await waiting.close();
      throw error;
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, signal });
  return {
    connection: { ...embedded.connection },
    ...{ direct: null, waiting: null },
    stop: () => embedded.stop(),
  };
}

async function externalDatabase(url: string, directUrl: string | null): Promise<Connections> {
  const connection = { connectionString: url };
  if (directUrl === null) {
    await refusePooler(connection);
    return { connection, direct: null };
  }
  const direct = { connectionString: directUrl };
  await refusePooler(direct);
  await refuseForgetful(direct);
  return { connection, direct };
}

/** The parts of the service on the main database that it shares with a lifeboat of this process. */
type Shared = { lifeboat: Lifeboat | null; metrics: Metrics };

async function serveOn(
  { connection, direct, waiting, lifeboat, metrics }: OpenDatabase & Shared,
  config: Config,
  log: Log,
  { signal, hurry }: Ending,
  say: (text: string) => void,
  signInLink: SignInLink | null,
): Promise<void> {
  // Load libraries now, so that no page waits for one, a missing one is noticed at the start, and an upgrade on disk
  // cannot mix versions.
  await loadProviders(config);
  const create = () =>
    createApp({ config, connection, direct, log, metrics, ...(lifeboat ? { lifeboat } : {}) });
  const app = await (waiting ? waiting.until(create) : create());
  try {
    signal.throwIfAborted();
    await waiting?.close();
    await app.listen();
    lifeboat?.attach(app.shore);
    giveRootUp(config, log);
    log.info({ url: config.publicUrl, uploads: config.uploadUrl, role: config.role }, 'Tocsin is ready');
    await announceLinks(config, say, [signInLink, await welcomeOf(app, config, log, signal)]);
    await aborted(signal);
    await drain(app, config, log, hurry);
  } finally {
    lifeboat?.detach();
    await app.stop();
  }
}

/** Answers requests until load balancers have seen that `/readyz` fails, and send them to other nodes. */
async function drain(app: App, { drainSeconds }: Config, log: Log, hurry: AbortSignal): Promise<void> {
  app.drain();
  if (drainSeconds === 0 || hurry.aborted) return;
  log.info({ seconds: drainSeconds }, 'draining: /readyz fails, and requests are still answered');
  await delay(drainSeconds * 1_000, undefined, { signal: hurry }).catch(() => undefined);
}

/** Delay before the database is asked for the welcome link again. */
const ASK_AGAIN_MS = 1_000;

/**
 * The link that creates the first owner, if there is none yet. The server may have accepted pages by now, so a database
 * failure only delays the link and does not stop the server.
 */
async function welcomeOf(
  app: App,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<SignInLink | null> {
  if (config.role === 'worker') return null;
  while (!signal.aborted) {
    try {
      const link = await app.firstRunLink();
      return link === null ? null : welcome(link);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      log.warn(
        { err: error },
        'the database is away; the welcome link, if one is needed, is printed when it is back',
      );
      await delay(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

/** Prints the valid sign-in links, and removes the files of links that are no longer valid. */
async function announceLinks(
  { dataDir }: Config,
  say: (text: string) => void,
  links: readonly (SignInLink | null)[],
): Promise<void> {
  const open = links.filter((link) => link !== null);
  for (const file of [DEMO_FILE, WELCOME_FILE])
    if (!open.some((link) => link.file === file)) await removeLinkFile(file, dataDir);
  for (const link of open) say(await announceLink(link, dataDir, process.stderr.isTTY));
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

/** A closed terminal (SIGHUP) shuts the service down like an operator's signal. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

type Ending = {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** Aborted by a signal other than SIGTERM, because a person waits at a terminal, and by a later SIGTERM. */
  hurry: AbortSignal;
  /** Stops listening for signals. */
  forget(): void;
};

/**
 * A signal to the whole process group arrives twice, because `tocsin` passes it on to the service: a signal is a repeat
 * when the same one has been counted less than this long ago.
 */
const SAME_SIGNAL_MS = 1_000;

function endOnSignal(log: Log): Ending {
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const countedAt = new Map<NodeJS.Signals, number>();
  let times = 0;
  const handler = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - (countedAt.get(signal) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_MS) return;
    countedAt.set(signal, now);
    times++;
    if (signal !== 'SIGTERM' || times > 1) hurrying.abort();
    if (times === 1) {
      log.info({ signal }, 'shutting down: finishing the work in progress');
      stopping.abort(new Error(`${signal} ended the start`));
    } else if (times > 2) process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  return {
    signal: stopping.signal,
    hurry: hurrying.signal,
    forget() {
      for (const signal of SIGNALS) process.off(signal, handler);
    },
  };
}
