import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { type Means, type MethodFacts, type Reach, type ReachFacts, reachability } from './reachability.ts';

/** Whether each of these people can be reached now, and how. Unknown people are left out. */
export async function readReach(
  db: Handle,
  userIds: readonly string[],
  means: Means,
): Promise<ReadonlyMap<string, Reach>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await facts(sql`u.id = any(${[...new Set(userIds)]}::text[])`).execute(db);
  return new Map(rows.map(({ userId, ...row }) => [userId, reachability(row, means)]));
}

export type PersonFacts = ReachFacts & { userId: string; methods: MethodFacts[] };

/** The same for everybody who is not disabled. For the operator's commands, never for a request. */
export async function readReachFactsEverywhere(db: Handle): Promise<PersonFacts[]> {
  return (await facts(sql`u.disabled_at is null`).execute(db)).rows;
}

export async function hasOpenDashboard(db: Handle, userId: string): Promise<boolean> {
  const { rows } = await facts(sql`u.id = ${userId}`).execute(db);
  return rows[0]?.dashboardOpen ?? false;
}

function facts(which: RawBuilder<unknown>): RawBuilder<PersonFacts> {
  return sql<PersonFacts>`
    select u.id as "userId", u.disabled_at is not null as disabled,
      exists (select from open_dashboards o where o.user_id = u.id) as "dashboardOpen",
      coalesce((
        select jsonb_agg(jsonb_build_object('userId', c.user_id, 'type', c.type, 'value', c.value,
          'chatUserId', c.chat_user_id, 'verified', c.verified_at is not null) order by c.position, c.id)
        from contact_methods c where c.user_id = u.id), '[]') as methods
    from users u where ${which}`;
}
