import type { Socket } from 'node:net';
import type { Client, Pool, PoolClient } from 'pg';

/** How long to wait for an orderly close. */
const FAREWELL_MS = 2_000;

/**
 * Closes a connection without the closing handshake, which would hang if the other side is silent. The driver has no
 * public method for this.
 */
export function breakConnection(client: Client | PoolClient): void {
  (client as unknown as { connection?: { stream?: Socket } }).connection?.stream?.destroy();
}

/** Closes a connection in order, or abruptly if the other side is silent. Never fails. */
export async function closeConnection(client: Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  await within(FAREWELL_MS, ended);
  breakConnection(client);
}

/** Ends a pool in order; connections whose other side is silent are closed abruptly. Never fails. */
export async function endPool(pool: Pool): Promise<void> {
  const ended = pool.end().catch(() => undefined);
  if (await within(FAREWELL_MS, ended)) return;
  for (const client of members.get(pool)?.all ?? []) breakConnection(client);
  await within(FAREWELL_MS, ended);
}

type Members = { all: Set<PoolClient>; idle: Set<PoolClient>; leaving: WeakSet<PoolClient> };
const members = new WeakMap<Pool, Members>();

/** Tracks a pool's connections, so that `endPool` can close those that do not answer, and `emptyPool` all of them. */
export function followConnections(pool: Pool): void {
  const { all, idle, leaving }: Members = { all: new Set(), idle: new Set(), leaving: new WeakSet() };
  members.set(pool, { all, idle, leaving });
  pool.on('connect', (client) => all.add(client));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => {
    if (leaving.has(client)) refuseFurtherUse(client);
    else idle.add(client);
  });
  pool.on('remove', (client) => {
    all.delete(client);
    idle.delete(client);
  });
}

/** The reason why healthy connections are closed. */
export class EmptiedPool extends Error {
  override name = 'EmptiedPool';
  constructor() {
    super('the connection leads to a server that is no longer used');
  }
}

/**
 * Closes a pool's connections: idle ones at once, those in use when they are released. The pool opens new ones as
 * needed.
 */
export function emptyPool(pool: Pool): void {
  const known = members.get(pool);
  if (!known) return;
  for (const client of known.all) known.leaving.add(client);
  for (const client of [...known.idle]) {
    // The pool removes an idle connection as soon as it emits an error.
    client.emit('error', new EmptiedPool());
    setTimeout(() => breakConnection(client), FAREWELL_MS).unref();
  }
}

/** Closes one connection of a pool when it is released. */
export function leaveWhenReturned(pool: Pool, client: PoolClient): void {
  members.get(pool)?.leaving.add(client);
}

/** Makes the pool close this connection on release instead of reusing it; the driver has no public method for this. */
function refuseFurtherUse(client: PoolClient): void {
  (client as unknown as { _queryable: boolean })._queryable = false;
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  void work.then(() => resolve(true));
  const inTime = await promise;
  clearTimeout(timer);
  return inTime;
}
