import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/supervisor.ts';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { isDatabaseAway } from './db/away.ts';
import { type Place, refuseForgetful, refusePooler } from './db/pooler.ts';
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
import { loadProviders } from './notifications/channels/registry.ts';

/**
 * Prepares the database before the service starts. Returns a sign-in link for the person who starts it, if there is
 * one.
 */
export type Prepare = (connection: ClientConfig, signal: AbortSignal) => Promise<SignInLink | null>;

/**
 * Runs the server until SIGTERM, SIGINT or SIGHUP, then shuts down in order; the third signal ends it at once. Resolves
 * when everything has stopped. `say` prints to the person who started it.
 */
export async function serve(
  config: Config,
  log: Log,
  say: (text: string) => void,
  prepare: Prepare = async () => null,
): Promise<void> {
  const stopping = new AbortController();
  const asked = onSignal((signal) => {
    log.info({ signal }, 'shutting down: finishing the work in progress');
    stopping.abort(new Error(`the start was ended by ${signal}`));
  });
  try {
    const database = await openDatabase(config, log, stopping.signal);
    try {
      if (config.databaseUrl === null) {
        const { snapshotBeforeUpgrade } = await import('./installation/snapshot.ts');
        await snapshotBeforeUpgrade(database.connection, config, log, stopping.signal);
      }
      const signInLink = await prepare(database.direct ?? database.connection, stopping.signal);
      stopping.signal.throwIfAborted();
      await serveOn(database, config, log, stopping.signal, say, signInLink);
    } finally {
      await database.stop();
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    asked.forget();
  }
}

async function openDatabase(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<Place & { stop(): Promise<void> }> {
  if (config.databaseUrl)
    return {
      ...(await externalPlace(config.databaseUrl, config.databaseDirectUrl)),
      stop: async () => undefined,
    };
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, signal });
  return { connection: { ...embedded.connection }, direct: null, stop: () => embedded.stop() };
}

async function externalPlace(url: string, directUrl: string | null): Promise<Place> {
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

async function serveOn(
  { connection, direct }: Place,
  config: Config,
  log: Log,
  signal: AbortSignal,
  say: (text: string) => void,
  signInLink: SignInLink | null,
): Promise<void> {
  // Load libraries now, so that no page waits for one, a missing one is noticed at the start, and an upgrade on disk
  // cannot mix versions.
  await loadProviders(config);
  const app = await createApp({ config, connection, direct, log });
  try {
    signal.throwIfAborted();
    await app.listen();
    giveRootUp(config, log);
    log.info({ url: config.publicUrl, uploads: config.uploadUrl, role: config.role }, 'Tocsin is ready');
    await announceLinks(config, say, [signInLink, await welcomeOf(app, config, log, signal)]);
    await aborted(signal);
  } finally {
    await app.stop();
  }
}

/** Delay before the database is asked for the welcome link again. */
const ASK_AGAIN_MS = 1_000;

/**
 * The link that makes the first owner, if there is none yet. The server may have accepted pages by now, so a database
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

function onSignal(first: (signal: string) => void): { forget(): void } {
  let times = 0;
  const handler = (signal: NodeJS.Signals) => {
    times++;
    if (times === 1) first(signal);
    else if (times > 2) process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  return {
    forget() {
      for (const signal of SIGNALS) process.off(signal, handler);
    },
  };
}
