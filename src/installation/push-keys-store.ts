import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { RUNNING_SERVERS } from '../db/servers.ts';

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
