import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import type { Config } from './config.ts';
import { isWorthWaiting } from './db/away.ts';
import { databaseClock } from './db/clock.ts';
import { endPool } from './db/connection.ts';
import { createDatabase, createPool } from './db/database.ts';
import { createWrites } from './db/writes.ts';
import { createMetrics } from './http/metrics.ts';
import { createWaitingListener, createWaitingUploadListener } from './http/waiting-listener.ts';
import { giveRootUp } from './installation/give-root-up.ts';
import { readSealing } from './installation/secrets.ts';
import { errorText } from './kit/error-text.ts';
import type { Log } from './kit/log.ts';
import type { Lifeboat } from './lifeboat/boat.ts';
import { createSavedLists, type SavedLists } from './schedules/saved/keeper.ts';
import { createRoom } from './worker/room.ts';

/** Pauses between two tries to reach the database; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 3_000];
/** How often the log repeats that the start is waiting. */
const SAY_EVERY_MS = 60_000;

/** A start that waits for the database, and answers on the service's ports meanwhile. */
export type Waiting = {
  /**
   * The result of `work`, which is retried as long as the database is away. @throws the error of `work` if waiting
   * cannot help, and the signal's reason if it is aborted
   */
  until<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the ports, if they are open. */
  close(): Promise<void>;
};

/** `connection` bypasses a pooler, if there is one. */
export function createWaiting(
  config: Config,
  connection: ClientConfig,
  log: Log,
  signal: AbortSignal,
  lifeboat: Lifeboat | null,
): Waiting {
  let open: { close(): Promise<void> } | null = null;
  let saidAt = Number.NEGATIVE_INFINITY;

  async function wait(error: unknown, tries: number): Promise<void> {
    if (performance.now() - saidAt >= SAY_EVERY_MS) {
      saidAt = performance.now();
      log.warn(
        { err: errorText(error) },
        'the database is away; the start continues as soon as it answers. Check DATABASE_URL, and that the database runs',
      );
    }
    open ??= await listen(config, connection, log, lifeboat);
    await delay(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)], undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }

  return {
    async until(work) {
      for (let tries = 0; ; tries++) {
        try {
          return await work();
        } catch (error) {
          signal.throwIfAborted();
          if (!isWorthWaiting(error)) throw error;
          await wait(error, tries);
        }
      }
    },
    async close() {
      const closing = open;
      open = null;
      await closing?.close();
    },
  };
}

async function listen(
  config: Config,
  connection: ClientConfig,
  log: Log,
  lifeboat: Lifeboat | null,
): Promise<{ close(): Promise<void> }> {
  const pool = createPool({ connection, max: 1, name: 'tocsin start' });
  const db = createDatabase(pool);
  const listeners: FastifyInstance[] = [];
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await endPool(pool);
  };
  try {
    const base = await createWaitingListener({
      ...{ config, log, db, clock: databaseClock, connections: () => ({}), role: config.role },
      ...{ metrics: createMetrics(), writes: createWrites(), room: createRoom(db, config) },
      lifeboat,
      savedLists: config.role === 'worker' ? null : await loadSavedLists(config, log),
      lookedMsAgo: () => null,
      node: () => 0,
      serving: () => false,
      draining: () => false,
      unapplied: () => [],
    });
    listeners.push(base);
    await base.listen({ host: config.host, port: config.port });
    if (config.role !== 'worker') {
      const upload = await createWaitingUploadListener(config, log);
      listeners.push(upload);
      await upload.listen({ host: config.host, port: config.uploadPort });
    }
    // The ports are opened again later, which needs root below 1024.
    if (portsOf(config).every((port) => port >= 1_024)) giveRootUp(config, log);
    log.info({ url: config.publicUrl }, 'answers probes and shows the saved on-call list while it waits');
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

function portsOf({ port, uploadPort, metrics }: Config): number[] {
  return [port, uploadPort, ...(metrics.listener ? [metrics.listener.port] : [])].filter((one) => one !== 0);
}

/** Without the secret key, no list can be opened; the start reports later what is missing. */
async function loadSavedLists(config: Config, log: Log): Promise<Pick<SavedLists, 'current' | 'sessions'>> {
  const sealing = await readSealing(config, null);
  if (!sealing) return { current: () => null, sessions: { find: () => null } };
  const lists = createSavedLists({ dataDir: config.dataDir, sealing, log });
  await lists.load();
  return lists;
}
