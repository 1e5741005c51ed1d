import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedConnection } from './connection.ts';
import { EmbeddedPostgresFault, errorText } from './fault.ts';
import { type Home, homeFault, openHome } from './home.ts';
import { SYSTEM_DIRECTORY } from './location.ts';
import { type HeldLock, waitForLock } from './lock.ts';
import { boundLog } from './log-file.ts';
import { ending, findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { type EmbeddedLog, ensureRunning, type Running, type RunOptions } from './running.ts';
import { removeSocketDirectory } from './socket.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Aborts the start, but not a running database: the start is undone and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called each time the database exits unexpectedly. It is already being restarted. */
  readonly onCrash?: () => void;
  /** PostgreSQL settings that extend or replace ours, such as a larger `shared_buffers`. */
  readonly settings?: Record<string, string>;
  /** Where root creates what PostgreSQL's user could not reach elsewhere. */
  readonly systemDirectory?: string;
}

export interface EmbeddedPostgres {
  /** Does not change after a crash. */
  readonly connection: EmbeddedConnection;
  /** Stops the database and waits until all its processes have exited. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Runs the database of this DATA_DIR for a server, and restarts it whenever it exits. Only one server at a time can do
 * so; others get an error that names it.
 * @throws EmbeddedPostgresFault with a sentence for the person who started the server; when the signal aborts, its
 *   reason
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = openHome(options.dataDir);
  const serverLock = await claim(home);
  try {
    const run: RunOptions = {
      home,
      log: options.log,
      signal: options.signal,
      settings: options.settings ?? {},
      systemDirectory: options.systemDirectory ?? SYSTEM_DIRECTORY,
      replaceOutdated: true,
    };
    writeFileSync(home.serverPid, `${process.pid}\n`);
    const running = await whileNobodyElseStarts(home, () => ensureRunning(run), options.signal);
    return supervise(running, run, serverLock, options.onCrash);
  } catch (error) {
    release(home, serverLock);
    throw options.signal?.aborted ? options.signal.reason : homeFault(home, error);
  }
}

/** A command that is leaving holds the server's lock briefly, to find out whether there is a server. */
const CLAIM_PATIENCE_MS = 1_000;

async function claim(home: Home): Promise<HeldLock> {
  const lock = await waitForLock(home.serverLock, { waitMs: CLAIM_PATIENCE_MS });
  if (lock) return lock;
  const pid = readServerPid(home);
  throw new EmbeddedPostgresFault(
    `Another Tocsin${pid ? ` (process ${pid})` : ''} already runs on DATA_DIR ${home.dataDir}. ` +
      `Stop it first${pid ? ` (kill ${pid})` : ''}, give this one another DATA_DIR, or set DATABASE_URL, with which several can share one database.`,
  );
}

function readServerPid(home: Home): string {
  try {
    return readFileSync(home.serverPid, 'utf8').trim();
  } catch {
    return '';
  }
}

function release(home: Home, serverLock: HeldLock): void {
  rmSync(home.serverPid, { force: true });
  serverLock.release();
}

/** Enough for a first start on a slow disk. */
const START_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 10_000;

export async function whileNobodyElseStarts<T>(
  home: Home,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const lock = await waitForLock(home.startLock, { waitMs: START_PATIENCE_MS, signal });
  if (!lock) {
    throw new EmbeddedPostgresFault(
      `Another command has been starting the database in ${home.dataDir} for two minutes. ` +
        'End it (ps ax | grep tocsin) and try again.',
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Delays before the 1st, 2nd, … restart in a row. They are short, because nobody can be paged meanwhile. */
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];
/** After running this long, a crash is treated as the first one again. */
const STABLE_AFTER_MS = 10_000;

function supervise(
  first: Running,
  run: RunOptions,
  serverLock: HeldLock,
  onCrash: (() => void) | undefined,
): EmbeddedPostgres {
  const { home, log } = run;
  const stopping = new AbortController();
  const restart = { ...run, signal: stopping.signal, socketDirectory: first.connection.host };
  const ended = superviseUntil(stopping.signal);
  const logCare = setInterval(() => boundLog(home.log), 60_000).unref();
  let stopped: Promise<void> | undefined;

  async function superviseUntil(signal: AbortSignal): Promise<void> {
    let postmaster = first.postmaster;
    let crashes = 0;
    for (;;) {
      const since = performance.now();
      await ending(postmaster, signal);
      if (signal.aborted) return;
      crashes = performance.now() - since > STABLE_AFTER_MS ? 0 : crashes;
      log.warn(
        `PostgreSQL (process ${postmaster.identity.pid}) ended unexpectedly; see ${home.log}. Restarting it …`,
      );
      onCrash?.();
      const again = await restartUntil(signal, crashes++);
      if (!again) return;
      postmaster = again;
    }
  }

  /** Tries until the database runs, because the cause, such as a full disk, may be fixed at any time. */
  async function restartUntil(signal: AbortSignal, crashes: number): Promise<Postmaster | undefined> {
    for (let attempt = crashes; ; attempt++) {
      const waitMs = RESTART_DELAYS_MS[attempt] ?? RESTART_DELAYS_MS.at(-1);
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        return (await whileNobodyElseStarts(home, () => ensureRunning(restart), signal)).postmaster;
      } catch (error) {
        if (signal.aborted) return undefined;
        log.warn(errorText(error));
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    clearInterval(logCare);
    await ended;
    // Stop it without the lock if necessary: a command that hangs, or a removed DATA_DIR, must not keep it running.
    const lock = await waitForLock(home.startLock, { waitMs: STOP_PATIENCE_MS }).catch(() => undefined);
    await stopCluster(first);
    lock?.release();
    removeSocketDirectory(first.connection.host);
    release(home, serverLock);
    log.info('PostgreSQL has stopped.');
  }

  return {
    connection: first.connection,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Stops the cluster's current server, which may have replaced the one in `running`. */
export async function stopCluster(running: Running): Promise<void> {
  const postmaster = findPostmaster(running.postmaster.cluster) ?? running.postmaster;
  await stopPostmaster(postmaster);
}
