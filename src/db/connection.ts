import type { Socket } from 'node:net';
import type { Client, Pool, PoolClient } from 'pg';

/** How long a peer may take over the farewell. */
const FAREWELL_MS = 2_000;

/**
 * Closes a connection without a word. For one whose other side is silent: a farewell would wait for an answer that never
 * comes. The driver has no public way to do so.
 */
export function breakConnection(client: Client | PoolClient): void {
  (client as unknown as { connection?: { stream?: Socket } }).connection?.stream?.destroy();
}

/** Closes a connection in order, or, when the other side is silent, without it. Never fails. */
export async function closeConnection(client: Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  await within(FAREWELL_MS, ended);
  breakConnection(client);
}

/** Ends a pool in order; connections whose other side is silent are closed without it. Never fails. */
export async function endPool(pool: Pool): Promise<void> {
  const ended = pool.end().catch(() => undefined);
  if (await within(FAREWELL_MS, ended)) return;
  for (const client of members.get(pool) ?? []) breakConnection(client);
  await within(FAREWELL_MS, ended);
}

const members = new WeakMap<Pool, Set<PoolClient>>();

/** Keeps count of a pool's connections, so that `endPool` can close those that do not answer. */
export function followConnections(pool: Pool): void {
  const clients = new Set<PoolClient>();
  members.set(pool, clients);
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  void work.then(() => resolve(true));
  const inTime = await promise;
  clearTimeout(timer);
  return inTime;
}
