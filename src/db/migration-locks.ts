import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** Any constant: held while migrating, so that nodes which start together wait for the first. */
const MIGRATION_LOCK = 7303_0001;
/** Held by the node that applies what is applied while the service runs. */
const SERVING_LOCK = 7303_0002;

const TRY_AGAIN_MS = 200;

/**
 * Waits until nobody else migrates. It asks again and again: a statement that waits keeps a snapshot, for which an index
 * that is being built waits in its turn, and a role's own `lock_timeout` would end it.
 */
export async function waitForMigrations(client: Client): Promise<void> {
  while (!(await tryLock(client, MIGRATION_LOCK))) await delay(TRY_AGAIN_MS);
}

/** Keeps others from migrating until the caller's transaction ends. */
export async function holdMigrations(client: Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [MIGRATION_LOCK]);
}

/** Until the session ends, whether its process lives or not. False when another node is at it. */
export async function holdServingMigrations(client: Client): Promise<boolean> {
  return tryLock(client, SERVING_LOCK);
}

/**
 * Ends what some node builds just now, whatever it is: it locks its table against changes of its columns for as long as it
 * takes. The node begins anew a little later. Where our role may not end it, it goes on.
 */
export async function interruptServingMigrations(client: Client): Promise<void> {
  await client
    .query(
      `select pg_cancel_backend(pid) from pg_locks
        where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted
          and database = (select oid from pg_database where datname = current_database())`,
      [SERVING_LOCK],
    )
    .catch(() => undefined);
}

async function tryLock(client: Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
  return rows[0]?.held ?? false;
}
