import { hostname } from 'node:os';
import { Client, type ClientConfig } from 'pg';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { VERSION } from '../kit/version.ts';
import { endNode, holdNodeLock, insertNode, listenToNodes, type NodeNews } from './store.ts';

export type Node = {
  /** 0 until it is registered, and while its lock is lost: it must not lease anything then. */
  readonly id: number;
  stop(): Promise<void>;
};

/**
 * Registers this process and holds its advisory lock on a connection of its own: when the process dies, the database
 * lets go of the lock within moments, and other nodes take over what it was sending. When only the connection dies,
 * the node registers anew under another number, because others may have taken over its work already.
 */
export async function startNode(
  connection: ClientConfig,
  services: {
    db: Database;
    clock: Clock;
    log: Log;
    role: Config['role'];
  } & NodeNews,
): Promise<Node> {
  const { db, clock, log, role } = services;
  let id = 0;
  let client: Client | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function register(): Promise<void> {
    const holder = new Client({
      ...connection,
      application_name: 'tocsin node',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    holder.on('error', () => lost(holder));
    holder.on('end', () => lost(holder));
    await holder.connect();
    client = holder;
    const number = await insertNode(db, clock, {
      role,
      host: hostname(),
      pid: process.pid,
      version: VERSION,
    });
    await holdNodeLock(holder, number);
    await listenToNodes(holder, services);
    id = number;
    log.info({ node: number, role }, 'this node is at work');
  }

  function lost(holder: Client): void {
    if (stopped || client !== holder) return;
    client = null;
    id = 0;
    log.warn('the connection that shows this node to be alive was lost; it registers anew');
    tryAgain();
  }

  function tryAgain(): void {
    retry = setTimeout(() => {
      register().catch((error) => {
        log.warn({ err: error }, 'registering anew failed');
        if (!stopped) tryAgain();
      });
    }, 250);
    retry.unref();
  }

  await register();
  return {
    get id() {
      return id;
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      const number = id;
      id = 0;
      if (number > 0) await endNode(db, clock, number).catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
