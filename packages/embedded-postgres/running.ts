import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { type Binaries, binariesFor } from './binaries.ts';
import { connectionTo, type EmbeddedConnection, superuserTo } from './connection.ts';
import { EmbeddedPostgresFault, errorText } from './fault.ts';
import { type Home, homeFault } from './home.ts';
import { makeCluster, removeUnfinished } from './initialise.ts';
import { existingCluster, type Location, siteForCluster } from './location.ts';
import {
  becomesReady,
  findPostmaster,
  launchPostmaster,
  type Postmaster,
  stopPostmaster,
  type WaysToStop,
} from './postmaster.ts';
import { readPostmasterFile, readPostmasterOptions, removeStaleFiles } from './postmaster-file.ts';
import { setUpDatabase } from './set-up.ts';
import { fingerprint } from './settings.ts';
import { isListening, makeSocketDirectory, removeSocketDirectory } from './socket.ts';

/** The log of events; a pino logger fits. */
export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface RunOptions {
  readonly home: Home;
  readonly log: EmbeddedLog;
  readonly signal?: AbortSignal | undefined;
  /** PostgreSQL settings that extend or replace ours, such as a larger `shared_buffers`. */
  readonly settings: Record<string, string>;
  readonly systemDirectory: string;
  /** The socket's directory before a crash, so that clients find it in the same place. */
  readonly socketDirectory?: string;
  /** The server restarts a PostgreSQL that another version of Tocsin started; a command leaves it alone. */
  readonly replaceOutdated: boolean;
}

export interface Running {
  readonly postmaster: Postmaster;
  readonly connection: EmbeddedConnection;
}

/**
 * Makes sure that the database runs: takes over a running PostgreSQL, or starts it, creating the cluster if there is
 * none. Only for the holder of the start lock.
 * @throws EmbeddedPostgresFault with the cause and the fix
 */
export async function ensureRunning(options: RunOptions): Promise<Running> {
  const { home, systemDirectory } = options;
  try {
    await removeUnfinished(home);
    const location = existingCluster(home) ?? (await makeNewCluster(options));
    const binaries = usableBinaries(location.account, systemDirectory);
    refuseOtherMajor(home, location, binaries);
    return (await takeOver(location, binaries, options)) ?? (await start(location, binaries, options));
  } catch (error) {
    throw homeFault(home, error);
  }
}

/** The running database; undefined when it is not running. Starts nothing and does not wait. */
export function findRunning(home: Home): Running | undefined {
  const running = findPostgres(home);
  return running && readPostmasterFile(running.postmaster.cluster)?.status === 'ready' ? running : undefined;
}

/** The database's PostgreSQL, even if it does not answer yet; undefined when there is none. */
export function findPostgres(home: Home): Running | undefined {
  const location = existingCluster(home);
  const postmaster = location && findPostmaster(location.directory);
  return postmaster && describe(postmaster);
}

async function makeNewCluster(options: RunOptions): Promise<Location> {
  const { home, systemDirectory, signal, log } = options;
  const site = siteForCluster(home, systemDirectory);
  log.info(`Making the database in ${join(site.parent, 'postgres')} …`);
  if (site.relocated) {
    log.warn(
      `${site.account.name}, who runs PostgreSQL, may not enter ${home.dataDir}: the database lies in ` +
        `${join(site.parent, 'postgres')}, and ${home.cluster} links to it. Back up that directory, too.`,
    );
  }
  const sync = options.settings.fsync !== 'off';
  await makeCluster(home, site, usableBinaries(site.account, systemDirectory), { signal, sync });
  const made = existingCluster(home);
  if (!made)
    throw new EmbeddedPostgresFault(
      `The database in ${home.cluster} vanished while it was made. Start again.`,
    );
  return made;
}

function usableBinaries(account: Account, systemDirectory: string): Binaries {
  return binariesFor(account, systemDirectory);
}

function refuseOtherMajor(home: Home, location: Location, binaries: Binaries): void {
  const major = readFileSync(join(location.directory, 'PG_VERSION'), 'utf8').trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresFault(
    `The database in ${location.directory} was made by PostgreSQL ${major}, and this Tocsin brings PostgreSQL ` +
      `${binaries.major}. With the Tocsin that made it run: tocsin backup FILE. Then move ${home.cluster} away, and with ` +
      'this one run: tocsin restore FILE.',
  );
}

async function takeOver(
  location: Location,
  binaries: Binaries,
  options: RunOptions,
): Promise<Running | undefined> {
  const postmaster = findPostmaster(location.directory);
  if (!postmaster) return undefined;
  const { pid } = postmaster.identity;
  const current = readPostmasterOptions(location.directory).includes(
    fingerprint(options.settings, binaries.version),
  );
  if (options.replaceOutdated && !current) {
    options.log.info(`Restarting PostgreSQL (process ${pid}), which was started with other settings …`);
    await stopPostmaster(postmaster);
    return undefined;
  }
  // A server that is shutting down is treated as not running.
  if (!(await becomesReady(postmaster, options.signal))) return undefined;
  const running = describe(findPostmaster(location.directory) ?? postmaster);
  if (await answers(running, options.log)) {
    options.log.info(`Took over PostgreSQL (process ${pid}), which was running already.`);
    return running;
  }
  await stopPostmaster(postmaster, WITHOUT_ASKING);
  return undefined;
}

/** For a server that does not respond; what it committed is in its log. */
const WITHOUT_ASKING: WaysToStop = [
  ['SIGQUIT', 5_000],
  ['SIGKILL', 10_000],
];

function describe(postmaster: Postmaster): Running {
  return { postmaster, connection: connectionTo(postmaster.cluster, postmaster.socketDirectory) };
}

async function answers(running: Running, log: EmbeddedLog): Promise<boolean> {
  try {
    await setUp(running);
    return true;
  } catch (error) {
    if (error instanceof EmbeddedPostgresFault) throw error;
    log.warn(`PostgreSQL runs but does not answer (${errorText(error)}); restarting it …`);
    return false;
  }
}

async function start(location: Location, binaries: Binaries, options: RunOptions): Promise<Running> {
  const { home, log, settings, signal } = options;
  await removeTraces(location, options.socketDirectory);
  const socketDirectory = options.socketDirectory ?? makeSocketDirectory(home, location);
  removeStaleFiles(location.directory, socketDirectory);
  const launch = { binaries, location, socketDirectory, log: home.log, settings };
  try {
    const postmaster = await launchPatiently(() => launchPostmaster(launch, signal), signal);
    const running = describe(postmaster);
    await setUp(running).catch(async (error: unknown) => {
      await stopPostmaster(postmaster);
      throw error;
    });
    log.info(`PostgreSQL ${binaries.version} runs (process ${postmaster.identity.pid}).`);
    return running;
  } catch (error) {
    if (socketDirectory !== options.socketDirectory) removeSocketDirectory(socketDirectory);
    throw error;
  }
}

/** Sets up what the service needs but cannot create itself. It also proves that the server responds. */
export function setUp({ postmaster, connection }: Running): Promise<void> {
  return setUpDatabase(superuserTo(postmaster.cluster, postmaster.socketDirectory), connection);
}

/** Refuses a cluster that is used by a process we cannot see, then removes files of a PostgreSQL that died. */
async function removeTraces(location: Location, keep: string | undefined): Promise<void> {
  const left = readPostmasterFile(location.directory);
  if (!left?.socketDirectory) return;
  if (await isListening(left.socketDirectory)) {
    throw new EmbeddedPostgresFault(
      `The database in ${location.directory} is in use by a PostgreSQL that is not visible from here, probably in ` +
        'another container. Stop that one, or give this one another DATA_DIR.',
    );
  }
  removeStaleFiles(location.directory, left.socketDirectory);
  if (left.socketDirectory !== keep) removeSocketDirectory(left.socketDirectory);
}

/** After PostgreSQL was killed, its shared memory is in use until its child processes notice. */
async function launchPatiently<T>(launch: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch();
    } catch (error) {
      if (attempt === 20 || !/shared memory block/.test(errorText(error))) throw error;
      await delay(250, undefined, { signal });
    }
  }
}
