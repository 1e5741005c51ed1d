import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { Role } from './contract.ts';

export type Colleague = { id: string; name: string; email: string; role: Role; teams: string[] };

/** All people who can be paged, by name. */
export async function listColleagues(db: Handle, organizationId: string): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, u.name, u.email, u.role,
      coalesce(array(select t.slug from team_members m join teams t on t.id = m.team_id where m.user_id = u.id order by t.slug), '{}') as teams
    from users u where u.organization_id = ${organizationId} and u.disabled_at is null
    order by lower(u.name), u.id`.execute(db);
  return rows;
}

export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/**
 * Stores the push subscription of a browser. If another person used the browser before, it no longer gets that person's
 * pages.
 */
export async function savePushSubscription(
  tx: Tx,
  clock: Clock,
  owner: { organizationId: string; userId: string },
  id: string,
  { endpoint, keys }: PushSubscription,
): Promise<string> {
  await tx
    .deleteFrom('contact_methods')
    .where('organization_id', '=', owner.organizationId)
    .where('type', '=', 'push')
    .where('value', '=', endpoint)
    .where('user_id', '<>', owner.userId)
    .execute();
  const { rows } = await sql<{ id: string }>`
    insert into contact_methods (id, organization_id, user_id, position, type, value, push_keys, verified_at, created_at, updated_at)
    select ${id}, ${owner.organizationId}, ${owner.userId}, coalesce(max(position) + 1, 0), 'push', ${endpoint},
      ${JSON.stringify(keys)}::jsonb, ${clock.sql}, ${clock.sql}, ${clock.sql}
    from contact_methods where user_id = ${owner.userId}
    on conflict (user_id, type, value) do update set push_keys = excluded.push_keys, verified_at = excluded.verified_at, updated_at = excluded.updated_at
    returning id`.execute(tx);
  return rows[0]?.id ?? id;
}

export async function countPushSubscriptions(db: Handle, userId: string): Promise<number> {
  const row = await db
    .selectFrom('contact_methods')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('type', '=', 'push')
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function deletePushSubscription(
  db: Handle,
  owner: { organizationId: string; userId: string },
  endpoint: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('contact_methods')
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('type', '=', 'push')
    .where('value', '=', endpoint)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
