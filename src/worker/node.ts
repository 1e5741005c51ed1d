import { hostname } from 'node:os';
import type { Client, ClientConfig } from 'pg';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import { breakConnection, closeConnection } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import { DatabaseClient } from '../db/hosts.ts';
import type { Primary } from '../db/primary.ts';
import { NODE_APPLICATION } from '../db/servers.ts';
import type { Log } from '../kit/log.ts';
import { VERSION } from '../kit/version.ts';
import {
  endNode,
  holdNodeLock,
  insertNode,
  isRegistered,
  listenToNodes,
  type NodeListener,
} from './store.ts';

/** How often the node checks its connection to the database. */
const BEAT_MS = 2_000;
/** A connection without an answer for this long is treated as lost. */
const SILENCE_MS = 8_000;
const TRY_AGAIN_MS = 100;
/** After it lost its own connection, a node gives others this long to reconnect. */
const PATIENCE_MS = 1_500;

export type Node = {
  /** 0 until it is registered and while its lock is lost, when it must not lease anything. */
  readonly id: number;
  /**
   * False while its own connection is lost and shortly after. The database was then probably away for all nodes, and a free
   * lock does not mean that its node is dead.
   */
  mayTakeOver(): boolean;
  stop(): Promise<void>;
};

/**
 * Registers this process and holds its advisory lock on a connection of its own. When the process dies, the database releases
 * the lock within seconds, and other nodes take over its deliveries.
 *
 * When only the connection is lost, the node takes its lock again and continues. Deliveries that others took over meanwhile have
 * a later attempt, so that this node's results for them are ignored. While the database keeps the old connection, the node
 * continues under a new number.
 */
export async function startNode(
  connection: ClientConfig,
  services: {
    db: Database;
    clock: Clock;
    log: Log;
    role: Config['role'];
    /** The base of links to this process; null when it serves no dashboard. */
    publicUrl: string | null;
    primary: Primary;
  } & NodeListener,
): Promise<Node> {
  const { db, clock, log, role, publicUrl, primary } = services;
  let id = 0;
  let last = 0;
  let backSince = Number.NEGATIVE_INFINITY;
  let client: Client | null = null;
  let listening = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function register(): Promise<void> {
    const holder = new DatabaseClient({
      ...connection,
      application_name: NODE_APPLICATION,
      connectionTimeoutMillis: 5_000,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    holder.on('error', () => lost(holder));
    holder.on('end', () => lost(holder));
    try {
      await holder.connect();
      await primary.check(holder);
      const number = await holdNumber(holder);
      await listenToNodes(holder, services);
      if (last > 0) backSince = performance.now();
      client = holder;
      last = number;
      id = stopped ? 0 : number;
    } catch (error) {
      breakConnection(holder);
      throw error;
    }
    log.info({ node: last, role }, 'this node is registered');
  }

  async function holdNumber(holder: Client): Promise<number> {
    // A failover of the database may have lost this node's registration.
    if (last > 0 && (await isRegistered(db, last)) && (await holdNodeLock(holder, last))) return last;
    const host = hostname();
    const number = await insertNode(db, clock, {
      role,
      host,
      pid: process.pid,
      version: VERSION,
      public_url: publicUrl,
    });
    if (!(await holdNodeLock(holder, number)))
      throw new Error(`somebody else holds the lock of node ${number}`);
    return number;
  }

  function lost(holder: Client): void {
    if (stopped || client !== holder) return;
    client = null;
    id = 0;
    log.warn('this node lost the connection that holds its lock; registering again');
    tryAgain();
  }

  function tryAgain(): void {
    retry = setTimeout(() => {
      register().catch((error) => {
        log.warn({ err: error }, 'could not register again');
        if (!stopped) tryAgain();
      });
    }, TRY_AGAIN_MS);
    retry.unref();
  }

  /** Detects a dead connection, after which other nodes take over this node's work. */
  function beat(): void {
    const holder = client;
    if (!holder || listening) return;
    listening = true;
    primary
      .check(holder)
      .catch((error: unknown) => {
        primary.unanswered();
        leave(holder);
        primary.failed(holder, error);
      })
      .finally(() => {
        listening = false;
      });
  }

  function leave(holder: Client): void {
    breakConnection(holder);
    lost(holder);
  }

  primary.onLeave((certain) => {
    if (certain && client) leave(client);
    else beat();
  });
  await register();
  const beating = setInterval(beat, BEAT_MS).unref();
  return {
    get id() {
      return id;
    },
    mayTakeOver: () => id > 0 && performance.now() - backSince > PATIENCE_MS,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(beating);
      const number = id;
      id = 0;
      if (number > 0) await endNode(db, clock, number).catch(() => undefined);
      if (client) await closeConnection(client);
    },
  };
}
