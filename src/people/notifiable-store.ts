import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Method, Rule } from './contract.ts';
import { type Means, reachability } from './reachability.ts';

/** Everything that decides how a person who is not disabled is notified. */
export type Notifiable = {
  userId: string;
  methods: (Method & { chatUserId: string | null })[];
  /** Their own rules. */
  rules: Rule[];
  /** The nodes at which they have an open dashboard. */
  dashboardNodes: number[];
};

/** A `Notifiable` as JSON; `user` is an SQL expression for the id. */
export function notifiableJson(user: RawBuilder<unknown>): RawBuilder<Notifiable> {
  return sql<Notifiable>`jsonb_build_object('userId', ${user},
    'methods', coalesce((
      select jsonb_agg(jsonb_build_object('id', m.id, 'type', m.type, 'value', m.value, 'verified', m.verified_at is not null,
        'chatUserId', m.chat_user_id, 'position', m.position) order by m.position, m.id)
      from contact_methods m where m.user_id = ${user}), '[]'),
    'rules', coalesce((
      select jsonb_agg(jsonb_build_object('urgency', r.urgency, 'position', r.position, 'afterMs', r.after_seconds * 1000,
        'channels', r.channels)) from notification_rules r where r.user_id = ${user}), '[]'),
    'dashboardNodes', coalesce((select jsonb_agg(d.node) from open_dashboards d where d.user_id = ${user}), '[]'))`;
}

/** Those of these people who are not disabled, in one round trip. */
export async function findNotifiable(
  db: Handle,
  userIds: readonly string[],
): Promise<Map<string, Notifiable>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<{ person: Notifiable }>`
    select ${notifiableJson(sql`u.id`)} as person
    from users u where u.id = any(${[...userIds]}::text[]) and u.disabled_at is null`.execute(db);
  return new Map(rows.map(({ person }) => [person.userId, person]));
}

/** Whether a person can be reached now, by the one rule for it. */
export function isReachable({ userId, methods, dashboardNodes }: Notifiable, means: Means): boolean {
  const facts = methods.map((method) => ({ ...method, userId }));
  const dashboardOpen = dashboardNodes.length > 0;
  return reachability({ disabled: false, dashboardOpen, methods: facts }, means).reachable;
}
