import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnAs } from './account.ts';
import type { Binaries } from './binaries.ts';
import { explainFailedStart, readFrom, sizeOf } from './explain.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import type { Location } from './location.ts';
import { boundLog } from './log-file.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import {
  isAlive,
  type ProcessIdentity,
  processWith,
  servesCluster,
  signalProcess,
} from './process-identity.ts';
import { settingArguments } from './settings.ts';

/** A PostgreSQL server process of a cluster, started by this process or another one. */
export interface Postmaster {
  readonly identity: ProcessIdentity;
  readonly cluster: string;
  readonly socketDirectory: string;
}

/** How often to check whether a process is alive or ready. */
const LOOK_EVERY_MS = 20;

/** The running server of this cluster, no matter who started it; it may not be ready. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = readPostmasterFile(cluster);
  if (!file || !servesCluster(file.pid, cluster)) return undefined;
  const identity = processWith(file.pid);
  return identity && { identity, cluster, socketDirectory: file.socketDirectory };
}

export interface Launch {
  readonly binaries: Binaries;
  readonly location: Location;
  readonly socketDirectory: string;
  readonly log: string;
  readonly settings: Record<string, string>;
}

/**
 * Starts PostgreSQL in a session of its own, so that it survives a signal to our process group; the next start then
 * takes it over. Resolves when it accepts connections. After a crash, it replays its log first.
 * @throws EmbeddedPostgresFault when PostgreSQL exits; when the signal aborts, its reason, after stopping PostgreSQL
 */
export async function launchPostmaster(launch: Launch, signal?: AbortSignal): Promise<Postmaster> {
  signal?.throwIfAborted();
  boundLog(launch.log);
  const logStart = sizeOf(launch.log);
  const identity = await spawnPostmaster(launch);
  const { directory } = launch.location;
  const postmaster = { identity, cluster: directory, socketDirectory: launch.socketDirectory };
  if (await becomesReady(postmaster, signal)) return postmaster;
  throw new EmbeddedPostgresFault(
    explainFailedStart(readFrom(launch.log, logStart), { directory, log: launch.log }),
  );
}

async function spawnPostmaster(launch: Launch): Promise<ProcessIdentity> {
  const { binaries, location } = launch;
  const log = openSync(launch.log, 'a', 0o600);
  const options = settingArguments(launch.settings, binaries.version, launch.socketDirectory);
  const server = spawn(binaries.postgres, ['-D', location.directory, ...options], {
    ...spawnAs(location.account),
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  await once(server, 'spawn');
  server.unref();
  const { pid = -1 } = server;
  // If it has already exited, this identity matches no process, so it is treated as dead.
  return processWith(pid) ?? { pid, startedAt: '' };
}

/**
 * Waits until it accepts connections; false when it exits instead. There is no deadline, because an interrupted replay
 * of the log would start from the beginning.
 */
export async function becomesReady(postmaster: Postmaster, signal?: AbortSignal): Promise<boolean> {
  try {
    while (isAlive(postmaster.identity)) {
      const file = readPostmasterFile(postmaster.cluster);
      if (file?.pid === postmaster.identity.pid && file.status === 'ready') return true;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
    return false;
  } catch (error) {
    await stopPostmaster(postmaster);
    throw error;
  }
}

/** Resolves when the process has exited or the signal aborts. Does not keep this process alive. */
export async function ending(postmaster: Postmaster, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isAlive(postmaster.identity)) {
    await delay(5 * LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Signals to send one after the other, and how long to wait after each. */
export type WaysToStop = readonly (readonly [NodeJS.Signals, waitMs: number])[];

/** PostgreSQL's three kinds of shutdown: with a checkpoint, without one, and immediate. */
const WAYS_TO_STOP: WaysToStop = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

/** Stops the server, which ends all connections, and waits until it has exited. */
export async function stopPostmaster(postmaster: Postmaster, ways = WAYS_TO_STOP): Promise<void> {
  for (const [signal, waitMs] of ways) {
    signalProcess(postmaster.identity, signal);
    if (await endsWithin(postmaster, waitMs)) return;
  }
  throw new EmbeddedPostgresFault(
    `PostgreSQL (process ${postmaster.identity.pid}) does not end. Probably its disk does not answer; end it by hand.`,
  );
}

async function endsWithin(postmaster: Postmaster, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isAlive(postmaster.identity)) {
    if (performance.now() >= deadline) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}
