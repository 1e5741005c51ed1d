import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { methodOf } from '../notifications/channels/contract.ts';
import type { ChannelName, MethodType, Role, Rule, Urgency } from './contract.ts';
import { type Means, type MethodFacts, type Reach, type ReachFacts, reachability } from './reachability.ts';

export type ContactMethod = {
  id: string;
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  /** Sealed Standard Webhooks secret, for `webhook` only. */
  signingSecret: Buffer | null;
  verifiedAt: Temporal.Instant | null;
  position: number;
  /** The topics of the events that a webhook gets besides pages. */
  events: readonly string[];
};

/** All contact methods of the organization, by person and in the person's order. */
export async function listContactMethods(db: Handle, organizationId: string): Promise<ContactMethod[]> {
  return db
    .selectFrom('contact_methods')
    .select([
      'id',
      'user_id as userId',
      'type',
      'value',
      'chat_user_id as chatUserId',
      'signing_secret as signingSecret',
      'verified_at as verifiedAt',
      'position',
      'events',
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertContactMethods(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  methods: readonly ContactMethod[],
): Promise<void> {
  if (methods.length === 0) return;
  await db
    .insertInto('contact_methods')
    .values(
      methods.map((method) => ({
        id: method.id,
        organization_id: organizationId,
        user_id: method.userId,
        position: method.position,
        type: method.type,
        value: method.value,
        chat_user_id: method.chatUserId,
        signing_secret: method.signingSecret,
        verified_at: method.verifiedAt,
        events: [...method.events],
        notices: methodOf(method.type).notices !== 'if wanted',
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

export async function updateContactMethod(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  method: ContactMethod,
): Promise<void> {
  await db
    .updateTable('contact_methods')
    .set({
      position: method.position,
      chat_user_id: method.chatUserId,
      signing_secret: method.signingSecret,
      verified_at: method.verifiedAt,
      events: [...method.events],
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', method.id)
    .execute();
}

export async function deleteContactMethods(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('contact_methods')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
}

/** The rules that people wrote themselves. Everybody else has the defaults. */
export async function listRules(db: Handle, organizationId: string): Promise<PersonsRule[]> {
  return (await selectRules(db, organizationId).execute()).map(readRule);
}

/** The same for one person. */
export async function listRulesOf(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<PersonsRule[]> {
  return (await selectRules(db, organizationId).where('user_id', '=', userId).execute()).map(readRule);
}

export type PersonsRule = Rule & { userId: string };

function selectRules(db: Handle, organizationId: string) {
  return db
    .selectFrom('notification_rules')
    .select(['user_id', 'urgency', 'position', 'after_seconds', 'channels'])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .orderBy('urgency')
    .orderBy('position');
}

function readRule(row: {
  user_id: string;
  urgency: Urgency;
  position: number;
  after_seconds: number;
  channels: ChannelName[];
}): PersonsRule {
  return {
    userId: row.user_id,
    urgency: row.urgency,
    position: row.position,
    afterMs: row.after_seconds * 1_000,
    channels: row.channels,
  };
}

/** Replaces all rules of a person. */
export async function replaceRules(
  db: Handle,
  organizationId: string,
  userId: string,
  rules: readonly Rule[],
): Promise<void> {
  await rulesToDelete(db, organizationId, userId).execute();
  await insertRules(db, organizationId, userId, rules);
}

/** Replaces a person's rules for one urgency; without any, the defaults apply. */
export async function replaceRulesFor(
  db: Handle,
  organizationId: string,
  userId: string,
  urgency: Urgency,
  rules: readonly Rule[],
): Promise<void> {
  await rulesToDelete(db, organizationId, userId).where('urgency', '=', urgency).execute();
  await insertRules(db, organizationId, userId, rules);
}

function rulesToDelete(db: Handle, organizationId: string, userId: string) {
  return db
    .deleteFrom('notification_rules')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);
}

async function insertRules(
  db: Handle,
  organizationId: string,
  userId: string,
  rules: readonly Rule[],
): Promise<void> {
  if (rules.length === 0) return;
  await db
    .insertInto('notification_rules')
    .values(
      rules.map((rule) => ({
        user_id: userId,
        organization_id: organizationId,
        urgency: rule.urgency,
        position: rule.position,
        after_seconds: Math.round(rule.afterMs / 1_000),
        channels: rule.channels,
      })),
    )
    .execute();
}

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
 * pages. Null if another person has this address with other keys: only a browser knows its keys, and somebody who has
 * merely learned its address must not take its pages away.
 */
export async function savePushSubscription(
  tx: Tx,
  clock: Clock,
  owner: { organizationId: string; userId: string },
  id: string,
  { endpoint, keys }: PushSubscription,
): Promise<string | null> {
  const ofOthers = await tx
    .selectFrom('contact_methods')
    .select(['id', 'push_keys as keys'])
    .where('organization_id', '=', owner.organizationId)
    .where('type', '=', 'push')
    .where('value', '=', endpoint)
    .where('user_id', '<>', owner.userId)
    .forUpdate()
    .execute();
  if (!ofOthers.every((other) => areEqual(keys, other.keys))) return null;
  const former = ofOthers.map((other) => other.id);
  await deleteContactMethods(tx, owner.organizationId, former);
  const { rows } = await sql<{ id: string }>`
    insert into contact_methods (id, organization_id, user_id, position, type, value, push_keys, verified_at, created_at, updated_at)
    select ${id}, ${owner.organizationId}, ${owner.userId}, coalesce(max(position) + 1, 0), 'push', ${endpoint},
      ${JSON.stringify(keys)}::jsonb, ${clock.sql}, ${clock.sql}, ${clock.sql}
    from contact_methods where user_id = ${owner.userId}
    on conflict (user_id, type, value) do update set push_keys = excluded.push_keys, verified_at = excluded.verified_at, updated_at = excluded.updated_at
    returning id`.execute(tx);
  return rows[0]?.id ?? id;
}

function areEqual(keys: PushSubscription['keys'], other: unknown): boolean {
  const { p256dh, auth } = (other ?? {}) as Partial<PushSubscription['keys']>;
  return p256dh === keys.p256dh && auth === keys.auth;
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
