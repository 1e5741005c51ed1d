import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { LOCK } from './advisory-locks.ts';

const TRY_AGAIN_MS = 200;

/**
 * Waits until nobody else migrates. It polls, because a statement that waits for a lock holds a snapshot, and
 * `create index concurrently` would wait for that snapshot. Also, the role's `lock_timeout` would end it.
 */
export async function waitForMigrations(client: Client): Promise<void> {
  while (!(await tryLock(client, LOCK.migration))) await delay(TRY_AGAIN_MS);
}

/** Keeps others from migrating until the caller's transaction ends. */
export async function holdMigrations(client: Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [LOCK.migration]);
}

/** Holds the lock until the session ends, even if this process dies first. Returns false if another node holds it. */
export async function holdServingMigrations(client: Client): Promise<boolean> {
  return tryLock(client, LOCK.servingMigration);
}

/**
 * Cancels the statement that a node runs while serving, because it locks its table against schema changes until it
 * ends. That node starts again later. If our role may not cancel it, it continues.
 */
export async function interruptServingMigrations(client: Client): Promise<void> {
  await client
    .query(
      `select pg_cancel_backend(pid) from pg_locks
        where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted
          and database = (select oid from pg_database where datname = current_database())`,
      [LOCK.servingMigration],
    )
    .catch(() => undefined);
}

async function tryLock(client: Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
  return rows[0]?.held ?? false;
}
