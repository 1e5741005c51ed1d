import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { RUNNING_SERVERS } from '../db/servers.ts';

/** Notes the public key that subscriptions are made with, if none is; returns the one that they were made with until now. */
export async function claimPushKey(db: Database, key: string): Promise<string> {
  const { rows } = await sql<{ push_key: string }>`
    update installation set push_key = coalesce(push_key, ${key}) returning push_key`.execute(db);
  return rows[0]?.push_key ?? key;
}

/** How many servers run just now. */
export async function countServers(db: Database): Promise<number> {
  return (await sql.raw(RUNNING_SERVERS).execute(db)).rows.length;
}

export type Subscriber = { organizationId: string; userId: string };

/** Subscriptions are made with this key from now on. False: another process has noted it. */
export async function replacePushKey(tx: Tx, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('installation')
    .set({ push_key: to })
    .where('push_key', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** No push reaches these subscriptions any more: they count as not verified. Returns whose they are. */
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
