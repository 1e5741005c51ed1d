import { sql } from 'kysely';
import type { Handle, Tx } from '../../db/database.ts';
import { channelsOf, METHOD_TYPES } from '../../notifications/channels/contract.ts';
import { CODE_TRIES } from '../contact-contract.ts';
import type { MethodType } from '../contract.ts';
import type { Destination } from './courier.ts';
import type { NewMethod } from './reading.ts';
import type { RecentSends } from './verification.ts';

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

/** Removes records of sends that no limit counts any more and expired codes; returns how many, at most 2 × `limit`. */
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
