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
  for (const client of members.get(pool)?.all ?? []) breakConnection(client);
  await within(FAREWELL_MS, ended);
}

type Members = { all: Set<PoolClient>; idle: Set<PoolClient>; leaving: WeakSet<PoolClient> };
const members = new WeakMap<Pool, Members>();

/** Keeps count of a pool's connections, so that `endPool` can close those that do not answer and `emptyPool` all of them. */
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

/** Why connections end that nothing is wrong with by themselves. */
export class EmptiedPool extends Error {
  override name = 'EmptiedPool';
  constructor() {
    super('the connection leads to a server that is not used any more');
  }
}

/** Ends a pool's connections: idle ones at once, those in use when they are given back. The pool opens new ones as it needs them. */
export function emptyPool(pool: Pool): void {
  const known = members.get(pool);
  if (!known) return;
  for (const client of known.all) known.leaving.add(client);
  for (const client of [...known.idle]) {
    // The pool removes an idle connection in the same moment in which it reports an error.
    client.emit('error', new EmptiedPool());
    setTimeout(() => breakConnection(client), FAREWELL_MS).unref();
  }
}

/** Ends one connection of a pool when it is given back. */
export function leaveWhenReturned(pool: Pool, client: PoolClient): void {
  members.get(pool)?.leaving.add(client);
}

/** The pool closes what is given back in this state instead of lending it again; the driver has no public way to say so. */
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
