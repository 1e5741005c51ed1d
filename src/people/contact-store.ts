import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { channelsOf, METHOD_TYPES, methodOf } from '../notifications/channels/contract.ts';
import { CODE_TRIES } from './contact-contract.ts';
import type { ChannelName, Method, MethodType, Role, Rule, Urgency } from './contract.ts';
import type { Destination } from './methods/courier.ts';
import type { NewMethod } from './methods/reading.ts';
import type { RecentSends } from './methods/verification.ts';
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

/** The first verified contact method of each type. */
export async function verifiedMethods(db: Handle, userId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('contact_methods')
    .select(['id', 'type'])
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .orderBy('position', 'desc')
    .execute();
  return new Map<string, string>(rows.map(({ id, type }) => [type, id]));
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

/** Whether a person has a dashboard open on any node. */
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

/** How many browsers get a person's pages. */
export async function countPushSubscriptions(db: Handle, userId: string): Promise<number> {
  const row = await db
    .selectFrom('contact_methods')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('type', '=', 'push')
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns false if the person has no such subscription. */
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

export type Owner = { organizationId: string; userId: string };

/** A contact method with its state. */
export type MethodRow = Destination & {
  id: string;
  verified: boolean;
  notices: boolean;
  events: string[];
  provedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  /** When a provider last accepted a page for it. */
  reachedAt: Temporal.Instant | null;
  /** The latest page that ended for it: when, and why it failed if it did. */
  lastAt: Temporal.Instant | null;
  lastError: string | null;
};

const CHANNELS_BY_TYPE = JSON.stringify(METHOD_TYPES.map((type) => ({ type, channels: channelsOf(type) })));

/** Older pages of a person on a channel say little about whether it works. */
const LOOKED_AT = 20;

/** The contact methods of these people, in each person's order. */
export async function listMethods(
  db: Handle,
  organizationId: string,
  userIds: readonly string[],
): Promise<MethodRow[]> {
  const { rows } = await sql<MethodRow>`
    select c.id, c.user_id as "userId", c.type, c.value, c.chat_user_id as "chatUserId", c.push_keys as "pushKeys",
      c.signing_secret as "signingSecret", c.verified_at is not null as verified, c.notices, c.events, c.proved_at as "provedAt",
      c.created_at as "createdAt", used."reachedAt", used."lastAt", used."lastError"
    from contact_methods c
    join jsonb_to_recordset(${CHANNELS_BY_TYPE}::jsonb) as k (type text, channels text[]) on k.type = c.type
    left join lateral (
      select max(d.at) filter (where d.accepted) as "reachedAt", max(d.at) as "lastAt",
        (array_agg(d.error order by d.at desc))[1] as "lastError"
      from unnest(k.channels) as way
      cross join lateral (
        select latest.accepted_at is not null and latest.state <> 'failed' as accepted, latest.sent_at as at,
          case when latest.state = 'failed' then latest.error end as error
        from (select contact_method_id, accepted_at, sent_at, state, error from deliveries
          where user_id = c.user_id and channel = way and sent_at is not null
          order by sent_at desc limit ${LOOKED_AT}) latest
        where latest.contact_method_id = c.id and latest.state in ('accepted', 'delivered', 'failed')
      ) d
    ) used on true
    where c.organization_id = ${organizationId} and c.user_id = any(${[...userIds]}::text[])
    order by c.user_id, c.position, c.id`.execute(db);
  return rows;
}

/** One method of its owner, locked; null when it is not theirs. */
export async function lockMethod(
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<(Destination & { id: string; verified: boolean }) | null> {
  const { rows } = await sql<Destination & { id: string; verified: boolean }>`
    select id, user_id as "userId", type, value, chat_user_id as "chatUserId", push_keys as "pushKeys",
      signing_secret as "signingSecret", verified_at is not null as verified
    from contact_methods
    where organization_id = ${owner.organizationId} and user_id = ${owner.userId} and id = ${id} for update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Adds it after the others; false when the person already has it. */
export async function insertMethod(
  tx: Tx,
  at: Temporal.Instant,
  owner: Owner,
  method: NewMethod & { id: string; signingSecret: Buffer | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into contact_methods (id, organization_id, user_id, position, type, value, chat_user_id, signing_secret,
      created_at, updated_at)
    select ${method.id}, ${owner.organizationId}, ${owner.userId}, coalesce(max(position) + 1, 0), ${method.type},
      ${method.value}, ${method.chatUserId}, ${method.signingSecret}, ${at}::timestamptz, ${at}::timestamptz
    from contact_methods where user_id = ${owner.userId}
    on conflict (user_id, type, value) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** How many contact methods of any type a person has. */
export async function countMethods(db: Handle, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from contact_methods where user_id = ${userId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function updateMethod(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  change: { notices?: boolean | undefined; events?: string[] | undefined; signingSecret?: Buffer },
): Promise<void> {
  await tx
    .updateTable('contact_methods')
    .set({
      updated_at: at,
      ...(change.notices === undefined ? {} : { notices: change.notices }),
      ...(change.events === undefined ? {} : { events: change.events }),
      ...(change.signingSecret === undefined ? {} : { signing_secret: change.signingSecret }),
    })
    .where('id', '=', id)
    .execute();
}

/** Sorts a person's methods in this order. Returns which of them are theirs. */
export async function orderMethods(
  tx: Tx,
  at: Temporal.Instant,
  owner: Owner,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update contact_methods c set position = o.place - 1, updated_at = ${at}
    from unnest(${[...ids]}::text[]) with ordinality as o (id, place)
    where c.id = o.id and c.organization_id = ${owner.organizationId} and c.user_id = ${owner.userId}
    returning c.id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Sets the code that verifies a method. */
export async function saveCode(
  tx: Tx,
  organizationId: string,
  methodId: string,
  code: { tag: string; expiresAt: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into contact_method_codes (contact_method_id, organization_id, code_tag, expires_at)
    values (${methodId}, ${organizationId}, ${code.tag}, ${code.expiresAt})
    on conflict (contact_method_id) do update
      set code_tag = excluded.code_tag, expires_at = excluded.expires_at, tries = 0`.execute(tx);
}

/** Counts an attempt and returns the code's tag; null when there is none, it is too old, or it had too many attempts. */
export async function tryCode(
  tx: Tx,
  at: Temporal.Instant,
  methodId: string,
): Promise<{ tag: string; triesLeft: number } | null> {
  const { rows } = await sql<{ tag: string; triesLeft: number }>`
    update contact_method_codes set tries = tries + 1
    where contact_method_id = ${methodId} and tries < ${CODE_TRIES} and expires_at > ${at}
    returning code_tag as tag, ${CODE_TRIES} - tries as "triesLeft"`.execute(tx);
  return rows[0] ?? null;
}

/** Marks a method as verified. */
export async function markProved(tx: Tx, at: Temporal.Instant, methodId: string): Promise<void> {
  await sql`
    update contact_methods set verified_at = coalesce(verified_at, ${at}), proved_at = ${at}, updated_at = ${at}
    where id = ${methodId}`.execute(tx);
  await tx.deleteFrom('contact_method_codes').where('contact_method_id', '=', methodId).execute();
}

/** Messages within the last hour. Blocks other sends until the transaction ends. */
export async function lockRecentSends(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  { type, value }: { type: MethodType; value: string },
): Promise<RecentSends> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(tx);
  const { rows } = await sql<{ at: Temporal.Instant; own: boolean; same: boolean }>`
    select at, user_id = ${userId} as own, type = ${type} and address = ${value} as same from contact_method_sends
    where organization_id = ${organizationId} and at > ${at.subtract({ hours: 1 })} order by at`.execute(tx);
  return {
    byPerson: rows.filter(({ own }) => own).map((row) => row.at),
    toAddress: rows.filter(({ same }) => same).map((row) => row.at),
    everybody: rows.length,
  };
}

export async function recordSend(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  { type, value }: { type: MethodType; value: string },
): Promise<void> {
  await sql`
    insert into contact_method_sends (organization_id, user_id, type, address, at)
    values (${organizationId}, ${userId}, ${type}, ${value}, ${at})`.execute(tx);
}

/** Removes expired codes, and records of sends that no limit counts any longer; returns how many, at most 2 × `limit`. */
export async function forgetOldSends(db: Handle, at: Temporal.Instant, limit: number): Promise<number> {
  const sends = await sql`
    delete from contact_method_sends where id in (
      select id from contact_method_sends where at < ${at.subtract({ hours: 24 })} limit ${limit})`.execute(
    db,
  );
  const codes = await sql`
    delete from contact_method_codes where contact_method_id in (
      select contact_method_id from contact_method_codes where expires_at < ${at.subtract({ hours: 24 })}
      limit ${limit})`.execute(db);
  return Number(sends.numAffectedRows ?? 0n) + Number(codes.numAffectedRows ?? 0n);
}

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
