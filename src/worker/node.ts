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
import { endNode, holdNodeLock, insertNode, isRegistered, listenToNodes, type NodeNews } from './store.ts';

/** How often the node makes sure that the database still hears it. */
const BEAT_MS = 2_000;
/** A connection without an answer for this long is lost, whatever TCP believes. */
const SILENCE_MS = 8_000;
const TRY_AGAIN_MS = 100;
/** After a loss of its own connection a node leaves others this long to come back, too. */
const PATIENCE_MS = 1_500;

export type Node = {
  /** 0 until it is registered, and while its lock is lost: it must not lease anything then. */
  readonly id: number;
  /**
   * False while its own connection is lost, and just after: then the database was away, probably for all nodes, and a
   * lock that nobody holds says nothing yet.
   */
  mayTakeOver(): boolean;
  stop(): Promise<void>;
};

/**
 * Registers this process and holds its advisory lock on a connection of its own: when the process dies, the database
 * lets go of the lock within moments, and other nodes take over what it was sending.
 *
 * When only the connection dies, the node takes its lock again, and with it goes on with what it was sending. Others
 * may have taken over some of that meanwhile: those deliveries then count a later attempt, and its word about them is
 * void. When the database still believes the old connection to be alive, the node goes on under another number.
 */
export async function startNode(
  connection: ClientConfig,
  services: {
    db: Database;
    clock: Clock;
    log: Log;
    role: Config['role'];
    /** Where links to this process lead; null when it serves no dashboard. */
    publicUrl: string | null;
    primary: Primary;
  } & NodeNews,
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
    log.info({ node: last, role }, 'this node is at work');
  }

  async function holdNumber(holder: Client): Promise<number> {
    // A fail-over may have lost that this node was ever registered.
    if (last > 0 && (await isRegistered(db, last)) && (await holdNodeLock(holder, last))) return last;
    const host = hostname();
    const number = await insertNode(db, clock, {
      ...{ role, host, pid: process.pid, version: VERSION, public_url: publicUrl },
    });
    if (!(await holdNodeLock(holder, number)))
      throw new Error(`somebody else holds the lock of node ${number}`);
    return number;
  }

  function lost(holder: Client): void {
    if (stopped || client !== holder) return;
    client = null;
    id = 0;
    log.warn('the connection that shows that this node is alive was lost; registering again');
    tryAgain();
  }

  function tryAgain(): void {
    retry = setTimeout(() => {
      register().catch((error) => {
        log.warn({ err: error }, 'registering again failed');
        if (!stopped) tryAgain();
      });
    }, TRY_AGAIN_MS);
    retry.unref();
  }

  /** A connection can be dead without anybody having said so: then others have this node's work, and it must know. */
  function beat(): void {
    const holder = client;
    if (!holder || listening) return;
    listening = true;
    primary
      .check(holder)
      .catch((error: unknown) => {
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
