import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { RUNNING_SERVERS } from '../db/servers.ts';

/** Stores the signature of the first key, and returns the stored one. */
export async function claimInstallation(db: Database, clock: Clock, keyCheck: string): Promise<string> {
  const { rows } = await sql<{ key_check: string }>`
    with claimed as (
      insert into installation (key_check, created_at) values (${keyCheck}, ${clock.sql}) on conflict do nothing returning key_check
    )
    select key_check from claimed union all select key_check from installation limit 1`.execute(db);
  return rows[0]?.key_check ?? keyCheck;
}

/** When this database was set up. */
export async function beginningOf(db: Handle): Promise<Temporal.Instant> {
  const row = await db.selectFrom('installation').select('created_at').executeTakeFirstOrThrow();
  return row.created_at;
}

/** The same, with a lock: nobody else can make a first owner until the transaction ends. */
export async function lockInstallation(tx: Tx): Promise<Temporal.Instant> {
  const row = await tx.selectFrom('installation').select('created_at').forUpdate().executeTakeFirstOrThrow();
  return row.created_at;
}

/** Stores the public key for subscriptions if there is none, and returns the stored one. */
export async function claimPushKey(db: Database, key: string): Promise<string> {
  const { rows } = await sql<{ push_key: string }>`
    update installation set push_key = coalesce(push_key, ${key}) returning push_key`.execute(db);
  return rows[0]?.push_key ?? key;
}

/** The number of running servers. */
export async function countServers(db: Database): Promise<number> {
  return (await sql.raw(RUNNING_SERVERS).execute(db)).rows.length;
}

export type Subscriber = { organizationId: string; userId: string };

/** Replaces the public key for subscriptions. Returns false if another process has already replaced it. */
export async function replacePushKey(tx: Tx, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('installation')
    .set({ push_key: to })
    .where('push_key', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all push subscriptions by marking them as not verified. Returns their owners. */
export async function endPushSubscriptions(tx: Tx, clock: Clock): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    with ended as (
      update contact_methods set verified_at = null, updated_at = ${clock.sql}
      where type = 'push' and verified_at is not null returning organization_id, user_id
    )
    select distinct organization_id as "organizationId", user_id as "userId" from ended order by 1, 2`.execute(
    tx,
  );
  return rows;
}
