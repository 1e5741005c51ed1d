import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { isValidKey } from '../keys/store.ts';
import { newId } from '../kit/typeid.ts';
import type { Language } from '../language/contract.ts';
import type { Role } from '../people/contract.ts';
import type { ClockChoice } from '../people/person-contract.ts';
import { clockOf, languageOf } from '../people/store.ts';
import type { SignInMethod } from './api-contract.ts';

export async function insertSignInLink(
  db: Handle,
  at: Temporal.Instant,
  link: {
    organizationId: string;
    userId: string;
    tokenHash: Buffer;
    expiresAt: Temporal.Instant;
    madeBy: string | null;
    withoutSecondFactor: boolean;
  },
): Promise<void> {
  await db
    .insertInto('sign_in_links')
    .values({
      token_hash: link.tokenHash,
      organization_id: link.organizationId,
      user_id: link.userId,
      expires_at: link.expiresAt,
      made_by: link.madeBy,
      without_second_factor: link.withoutSecondFactor,
      created_at: at,
    })
    .execute();
}

export type SignInLink = {
  organizationId: string;
  userId: string;
  name: string;
  email: string;
  organization: string;
  language: Language;
  used: boolean;
  expired: boolean;
  /** The operator chose that the link signs in without a second factor. */
  withoutSecondFactor: boolean;
};

/** The person of a sign-in link, even if it is no longer valid; null for an unknown token. */
export async function findSignInLink(
  db: Handle,
  clock: Clock,
  tokenHash: Buffer,
): Promise<SignInLink | null> {
  const { rows } = await sql<SignInLink>`
    select l.organization_id as "organizationId", l.user_id as "userId", u.name, u.email, o.name as organization, ${languageOf('u')} as language,
      l.without_second_factor as "withoutSecondFactor", l.used_at is not null as used, l.expires_at <= ${clock.sql} as expired
    from sign_in_links l join users u on u.id = l.user_id join organizations o on o.id = l.organization_id
    where l.token_hash = ${tokenHash} and u.disabled_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Uses a link, which works once. False if another request has used it. */
export async function spendSignInLink(
  tx: Tx,
  clock: Clock,
  tokenHash: Buffer,
): Promise<{ organizationId: string; userId: string } | null> {
  const { rows } = await sql<{ organizationId: string; userId: string }>`
    update sign_in_links l set used_at = ${clock.sql} from users u
    where l.token_hash = ${tokenHash} and l.used_at is null and l.expires_at > ${clock.sql}
      and u.id = l.user_id and u.disabled_at is null
    returning l.organization_id as "organizationId", l.user_id as "userId"`.execute(tx);
  return rows[0] ?? null;
}

export async function insertSession(
  tx: Tx,
  at: Temporal.Instant,
  session: {
    hash: Buffer;
    organizationId: string;
    userId: string;
    method: SignInMethod;
    userAgent: string;
    place: string;
    expiresAt: Temporal.Instant;
  },
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id: newId('session'),
      id_hash: session.hash,
      organization_id: session.organizationId,
      user_id: session.userId,
      method: session.method,
      user_agent: session.userAgent,
      place: session.place,
      expires_at: session.expiresAt,
      last_seen_at: at,
      confirmed_at: at,
      created_at: at,
    })
    .execute();
}

export type FoundSession = {
  organizationId: string;
  userId: string;
  role: Role;
  /** The organization requires two factors, and this person has not set them up. */
  lacksSecondFactor: boolean;
};

/** The SQL condition for a session `s` that has not ended and was used within a fortnight. */
const isCurrent = (clock: Clock) => sql<boolean>`s.revoked_at is null and s.expires_at > ${clock.sql}
  and s.last_seen_at > ${clock.sql} - interval '14 days'`;
/** The SQL condition for a valid session: it is current, and its person may sign in. */
const isOpen = (clock: Clock) => sql<boolean>`${isCurrent(clock)} and u.disabled_at is null`;

/** The SQL condition for a session whose organization requires a second factor that the person has not set up. */
const lacksSecondFactor = sql<boolean>`(o.requires_two_factor and s.method <> 'oidc'
  and not exists (select from one_time_codes c where c.user_id = u.id)
  and not exists (select from passkeys p where p.user_id = u.id))`;

/** The session of a token that is valid; null otherwise. */
export async function findSession(db: Handle, clock: Clock, hash: Buffer): Promise<FoundSession | null> {
  const { rows } = await sql<FoundSession>`
    select s.organization_id as "organizationId", s.user_id as "userId", u.role,
      ${lacksSecondFactor} as "lacksSecondFactor"
    from sessions s join users u on u.id = s.user_id join organizations o on o.id = u.organization_id
    where s.id_hash = ${hash} and ${isOpen(clock)}`.execute(db);
  return rows[0] ?? null;
}

/** The role of a person of the organization who is not disabled; null otherwise. */
export async function roleOf(db: Handle, organizationId: string, userId: string): Promise<Role | null> {
  const row = await db
    .selectFrom('users')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function revokeSession(db: Handle, clock: Clock, hash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: clock.sql })
    .where('id_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Stores in one statement which sessions were used since the last call: hash in base64, and network. */
export async function markSeen(db: Handle, clock: Clock, seen: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    update sessions set last_seen_at = greatest(last_seen_at, ${clock.sql}),
      place = case when seen.place = '' then sessions.place else seen.place end
    from unnest(${[...seen.keys()]}::text[], ${[...seen.values()]}::text[]) as seen(hash, place)
    where sessions.id_hash = decode(seen.hash, 'base64')`.execute(db);
}

/**
 * Returns which of these still let their person read what a dashboard shows: hashes of sessions in base64, ids of API
 * keys.
 */
export async function goodPasses(
  db: Handle,
  clock: Clock,
  sessionHashes: readonly string[],
  keyIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ pass: string }>`
    select given.hash as pass from unnest(${sessionHashes}::text[]) as given(hash)
    join sessions s on s.id_hash = decode(given.hash, 'base64') join users u on u.id = s.user_id
    join organizations o on o.id = u.organization_id
    where ${isOpen(clock)} and not ${lacksSecondFactor}
    union all
    select k.id from api_keys k join users u on u.id = k.user_id
    where k.id = any(${keyIds}::text[]) and ${isValidKey(clock)}`.execute(db);
  return new Set(rows.map((row) => row.pass));
}

/** Removes sessions and links that have been invalid for a month. Returns how many. */
export async function forgetOldPasses(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with old_sessions as (
      delete from sessions where id_hash in (
        select id_hash from sessions
        where least(expires_at, revoked_at) < ${clock.sql} - interval '30 days' limit ${limit})
      returning 1
    ), old_links as (
      delete from sign_in_links where token_hash in (
        select token_hash from sign_in_links where expires_at < ${clock.sql} - interval '30 days' limit ${limit})
      returning 1
    )
    select greatest((select count(*) from old_sessions), (select count(*) from old_links)) as removed`.execute(
    db,
  );
  return rows[0]?.removed ?? 0;
}

export type Me = {
  user: {
    id: string;
    name: string;
    email: string;
    role: Role;
    timeZone: string;
    clock: ClockChoice;
    /** Null: they did not choose one. */
    language: Language | null;
  };
  organization: { id: string; name: string; timeZone: string };
  teams: { id: string; name: string; slug: string }[];
};

/** Who is signed in, and where. */
export async function findMe(db: Handle, organizationId: string, userId: string): Promise<Me | null> {
  const { rows } = await sql<Me>`
    select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role, 'timeZone', u.time_zone,
        'clock', ${clockOf()}, 'language', u.language) as user,
      jsonb_build_object('id', o.id, 'name', o.name, 'timeZone', o.time_zone) as organization,
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) order by t.name, t.id)
        from team_members m join teams t on t.id = m.team_id where m.user_id = u.id), '[]') as teams
    from users u join organizations o on o.id = u.organization_id
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Whether no user exists yet, as in a new installation. */
export async function isEmpty(db: Handle): Promise<boolean> {
  const { rows } = await sql<{
    empty: boolean;
  }>`select not exists (select from organizations where not hidden) as empty`.execute(db);
  return rows[0]?.empty ?? false;
}

/** A session that is open, with the time at which it ends unless it is used again. */
export type OpenSession = {
  /** The hash of its token in base64. */
  hash: string;
  organizationId: string;
  userId: string;
  role: Role;
  endsAt: Temporal.Instant;
};

/** Open sessions of people who need no further factor, the most recently used first. */
export async function listOpenSessions(db: Handle, clock: Clock, limit: number): Promise<OpenSession[]> {
  const { rows } = await sql<OpenSession>`
    select encode(s.id_hash, 'base64') as hash, u.organization_id as "organizationId", u.id as "userId", u.role,
      least(s.expires_at, s.last_seen_at + interval '14 days') as "endsAt"
    from sessions s join users u on u.id = s.user_id join organizations o on o.id = u.organization_id
    where ${isOpen(clock)} and not ${lacksSecondFactor} and not o.hidden
    order by s.last_seen_at desc, s.id limit ${limit}`.execute(db);
  return rows;
}

type Owner = { organizationId: string; userId: string };

export type ListedSession = {
  id: string;
  /** In base64, as in `Authentication`. */
  hash: string;
  userAgent: string;
  place: string;
  method: SignInMethod;
  lastSeenAt: Temporal.Instant;
  createdAt: Temporal.Instant;
};

/** The sessions of a person, the last used first. */
export async function listSessions(
  db: Handle,
  clock: Clock,
  { organizationId, userId }: Owner,
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select s.id, encode(s.id_hash, 'base64') as hash, s.user_agent as "userAgent", s.place, s.method,
      s.last_seen_at as "lastSeenAt", s.created_at as "createdAt"
    from sessions s where s.organization_id = ${organizationId} and s.user_id = ${userId} and ${isCurrent(clock)}
    order by s.last_seen_at desc, s.id desc limit 100`.execute(db);
  return rows;
}

/** Ends one session of a person; false when they have no such session. */
export async function endSession(db: Handle, clock: Clock, owner: Owner, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ revoked_at: clock.sql })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the person has re-authenticated in this session within the last hour. */
export async function isConfirmed(db: Handle, clock: Clock, hash: string): Promise<boolean> {
  const { rows } = await sql<{ confirmed: boolean }>`
    select confirmed_at > ${clock.sql} - interval '1 hour' as confirmed from sessions
    where id_hash = decode(${hash}, 'base64')`.execute(db);
  return rows[0]?.confirmed ?? false;
}

/** Gives the session a new token, so that a stolen old one is useless. False if the session has ended. */
export async function renewSession(tx: Tx, clock: Clock, hash: string, newHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update sessions set id_hash = ${newHash}, confirmed_at = ${clock.sql}
    where id_hash = decode(${hash}, 'base64') and revoked_at is null
    returning 1`.execute(tx);
  return rows.length > 0;
}
