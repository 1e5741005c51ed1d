import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedConnection } from './connection.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import { type Home, openHome } from './home.ts';
import { SYSTEM_DIRECTORY } from './location.ts';
import { type HeldLock, tryLock } from './lock.ts';
import {
  type EmbeddedLog,
  ensureRunning,
  findPostgres,
  findRunning,
  type Running,
  setUp,
} from './running.ts';
import { removeSocketDirectory } from './socket.ts';
import { stopCluster, whileNobodyElseStarts } from './supervisor.ts';

export interface VisitOptions {
  readonly log?: EmbeddedLog;
  /** Ends the visit early: it leaves properly and rejects with the signal's reason, without waiting for `work`. */
  readonly signal?: AbortSignal;
  readonly settings?: Record<string, string>;
  readonly systemDirectory?: string;
}

const silent: EmbeddedLog = { info: () => {}, warn: () => {} };

/** The connection to the database of this DATA_DIR; undefined when it is not running. Starts nothing. */
export async function embeddedConnection(dataDir: string): Promise<EmbeddedConnection | undefined> {
  return findRunning(openHome(dataDir))?.connection;
}

/**
 * Lets a command use the database: that of the running server of this DATA_DIR, or one that is started temporarily and
 * stopped by the last command. A server that starts meanwhile takes it over.
 * @throws EmbeddedPostgresFault with the cause and the fix
 */
export async function withEmbeddedPostgres<T>(
  dataDir: string,
  work: (connection: EmbeddedConnection) => Promise<T>,
  options: VisitOptions = {},
): Promise<T> {
  const home = openHome(dataDir);
  const visit = await enter(home, options).catch((error: unknown) => {
    throw options.signal?.aborted ? options.signal.reason : error;
  });
  try {
    return await unlessAborted(work(visit.running.connection), options.signal);
  } finally {
    await leave(home, visit);
  }
}

interface Visit {
  readonly running: Running;
  readonly lock: HeldLock;
}

/** How long a server may take to start the database, or to restart it after a crash. */
const SERVER_PATIENCE_MS = 60_000;

async function enter(home: Home, options: VisitOptions): Promise<Visit> {
  const deadline = performance.now() + SERVER_PATIENCE_MS;
  for (;;) {
    const visit = await whileNobodyElseStarts(home, () => tryToEnter(home, options), options.signal);
    if (visit) return visit;
    if (performance.now() > deadline) throw serverWithoutDatabase(home);
    await delay(100, undefined, { signal: options.signal });
  }
}

/** Undefined while there is a server whose database is not running, because only the server may start it. */
async function tryToEnter(home: Home, options: VisitOptions): Promise<Visit | undefined> {
  const lock = visitorLock(home);
  try {
    const running = hasServer(home) ? await ofServer(home) : await ensureRunning(runOptions(home, options));
    if (running) return { running, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  return undefined;
}

/** An older server may not have created the service's role. */
async function ofServer(home: Home): Promise<Running | undefined> {
  const running = findRunning(home);
  if (running) await setUp(running);
  return running;
}

function runOptions(home: Home, options: VisitOptions) {
  return {
    home,
    log: options.log ?? silent,
    signal: options.signal,
    settings: options.settings ?? {},
    systemDirectory: options.systemDirectory ?? SYSTEM_DIRECTORY,
    replaceOutdated: false,
  };
}

/**
 * Does not block other commands: the exclusive lock is only ever tried by the holder of the start lock, which is this
 * process.
 */
function visitorLock(home: Home): HeldLock {
  const lock = tryLock(home.visitorLock, 'shared');
  if (lock) return lock;
  throw new EmbeddedPostgresFault(
    `The file ${home.visitorLock} is locked by another program. End it and try again.`,
  );
}

function hasServer(home: Home): boolean {
  const lock = tryLock(home.serverLock);
  lock?.release();
  return lock === undefined;
}

/** The last command to leave stops the database, no matter which one started it, unless a server uses it. */
async function leave(home: Home, visit: Visit): Promise<void> {
  await whileNobodyElseStarts(home, async () => {
    visit.lock.release();
    await stopIfUnused(home, visit.running);
  });
}

/** Only for the holder of the start lock. Returns whether it stopped the database. */
async function stopIfUnused(home: Home, running: Running): Promise<boolean> {
  const alone = tryLock(home.visitorLock, 'exclusive');
  alone?.release();
  if (!alone || hasServer(home)) return false;
  await stopCluster(running);
  removeSocketDirectory(running.connection.host);
  return true;
}

/**
 * Stops the database of this DATA_DIR if it outlived its server, which was killed, and no command uses it. Returns whether it
 * did. A server that starts meanwhile waits for that, and starts it again.
 */
export async function endOrphanedPostgres(dataDir: string): Promise<boolean> {
  const home = openHome(dataDir);
  if (hasServer(home)) return false;
  return whileNobodyElseStarts(home, async () => {
    const running = findPostgres(home);
    return running !== undefined && stopIfUnused(home, running);
  });
}

function serverWithoutDatabase(home: Home): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    `A Tocsin server runs on DATA_DIR ${home.dataDir}, but its database does not. Its log says why; see also ${home.log}.`,
  );
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
