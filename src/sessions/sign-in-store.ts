import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { sha256 } from '../kit/sealing.ts';
import type { Tally } from './attempts.ts';

type Owner = { organizationId: string; userId: string };

/** Locks the row that counts the attempts of a subject; creates it if necessary. */
export async function lockTally(tx: Tx, at: Temporal.Instant, subject: Buffer): Promise<Tally> {
  await tx
    .insertInto('sign_in_attempts')
    .values({ subject, failures: 0, last_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('sign_in_attempts')
    .select(['failures', 'last_at as lastAt', 'blocked_until as blockedUntil'])
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row;
}

export async function saveTally(tx: Tx, subject: Buffer, tally: Tally): Promise<void> {
  await tx
    .updateTable('sign_in_attempts')
    .set({ failures: tally.failures, last_at: tally.lastAt, blocked_until: tally.blockedUntil })
    .where('subject', '=', subject)
    .execute();
}

/** Forgets an attempt that succeeded. */
export async function forgiveOne(db: Handle, subject: Buffer): Promise<void> {
  await sql`update sign_in_attempts set failures = greatest(0, failures - 1), blocked_until = null
    where subject = ${subject}`.execute(db);
}

/** Forgets all attempts of a subject. */
export async function forgiveAll(db: Handle, subject: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
}

/** Removes attempts that no longer count. Returns how many. */
export async function forgetOldAttempts(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sign_in_attempts where subject in (
      select subject from sign_in_attempts where last_at < ${clock.sql} - interval '1 day' limit ${limit})
    returning 1`.execute(db);
  return rows.length;
}

export type Purpose =
  | 'passkey_new'
  | 'passkey'
  | 'second_factor'
  | 'one_time_codes'
  | 'oidc'
  | 'new_password';

/** A challenge: its person (null if not known yet), and the data that is stored until it is answered. */
export type Challenge = {
  organizationId: string | null;
  userId: string | null;
  /** Never holds a plain secret, so reading the database does not help to answer it. */
  data: Record<string, string>;
};

/** Stores a challenge that can be answered once, with this token, within this number of minutes. */
export async function keepChallenge(
  db: Handle,
  clock: Clock,
  purpose: Purpose,
  token: string,
  minutes: number,
  { organizationId, userId, data }: Challenge,
): Promise<void> {
  await sql`
    insert into challenges (hash, purpose, organization_id, user_id, data, expires_at, created_at)
    values (${sha256(token)}, ${purpose}, ${organizationId}, ${userId}, ${JSON.stringify(data)}::jsonb,
      ${clock.sql} + ${minutes}::integer * interval '1 minute', ${clock.sql})`.execute(db);
}

/** Takes a challenge, which works once. Null when it is unknown, answered or too old. */
export async function takeChallenge(
  db: Handle,
  clock: Clock,
  purpose: Purpose,
  token: string,
): Promise<Challenge | null> {
  const { rows } = await sql<Challenge & { good: boolean }>`
    delete from challenges where hash = ${sha256(token)} and purpose = ${purpose}
    returning organization_id as "organizationId", user_id as "userId", data, expires_at > ${clock.sql} as good`.execute(
    db,
  );
  return rows[0]?.good ? rows[0] : null;
}

/** Reads a challenge without taking it, so that a wrong answer can be followed by another one. */
export async function findChallenge(
  db: Handle,
  clock: Clock,
  purpose: Purpose,
  token: string,
): Promise<Challenge | null> {
  const { rows } = await sql<Challenge>`
    select organization_id as "organizationId", user_id as "userId", data from challenges
    where hash = ${sha256(token)} and purpose = ${purpose} and expires_at > ${clock.sql}`.execute(db);
  return rows[0] ?? null;
}

/** Removes the challenges of a person, for example after a new password. */
export async function dropChallenges(db: Handle, userId: string, purpose: Purpose): Promise<void> {
  await db.deleteFrom('challenges').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

/** Removes challenges that were never answered. Returns how many. */
export async function forgetOldChallenges(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from challenges where hash in (
      select hash from challenges where expires_at < ${clock.sql} - interval '1 hour' limit ${limit})
    returning 1`.execute(db);
  return rows.length;
}

/** The SQL condition for a person `u` who has this address, in any case, and may sign in. */
function isActiveAt(email: string): RawBuilder<boolean> {
  return sql<boolean>`(lower(u.email) = ${email.toLowerCase()} and u.disabled_at is null)`;
}

export type Candidate = { organizationId: string; userId: string; hash: string };

/** The accounts with an email address, which may be in several organizations; the oldest first. */
export async function findPasswords(db: Handle, email: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select u.organization_id as "organizationId", u.id as "userId", p.hash
    from users u join passwords p on p.user_id = u.id
    where ${isActiveAt(email.trim())} order by u.id limit 5`.execute(db);
  return rows;
}

/** The hash of a person's password; null if they have none. */
export async function findPassword(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('passwords')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.hash ?? null;
}

/** Sets a person's password, or replaces it. */
export async function savePassword(
  db: Handle,
  at: Temporal.Instant,
  owner: { organizationId: string; userId: string },
  hash: string,
): Promise<void> {
  const row = { hash, changed_at: at };
  await db
    .insertInto('passwords')
    .values({ user_id: owner.userId, organization_id: owner.organizationId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export type Addressee = {
  organizationId: string;
  userId: string;
  name: string;
  email: string;
  organization: string;
};

/** The people who may request a new password with this address. */
export async function findAddressees(db: Handle, email: string): Promise<Addressee[]> {
  const { rows } = await sql<Addressee>`
    select u.organization_id as "organizationId", u.id as "userId", u.name, u.email, o.name as organization
    from users u join organizations o on o.id = u.organization_id
    where ${isActiveAt(email.trim())} order by u.id limit 5`.execute(db);
  return rows;
}

/** Facts that a person's password should not contain. */
export async function knownOf(db: Handle, organizationId: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string; name: string; organization: string }>`
    select u.email, u.name, o.name as organization from users u join organizations o on o.id = u.organization_id
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  return rows.flatMap(({ email, name, organization }) => [email, name, organization]);
}

/** The sealed secret of a person's authenticator app, with its row locked; null when they have none. */
export async function lockSecret(
  tx: Tx,
  userId: string,
): Promise<{ secret: Buffer; lastStep: number } | null> {
  const row = await tx
    .selectFrom('one_time_codes')
    .select(['secret', 'last_step as lastStep'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row ? { secret: row.secret, lastStep: Number(row.lastStep) } : null;
}

export async function noteStep(tx: Tx, userId: string, step: number): Promise<void> {
  await tx.updateTable('one_time_codes').set({ last_step: step }).where('user_id', '=', userId).execute();
}

/** Sets the sealed secret of a person's authenticator app, or replaces it. */
export async function saveSecret(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  secret: Buffer,
  lastStep: number,
): Promise<void> {
  const row = { secret, last_step: lastStep, created_at: at };
  await tx
    .insertInto('one_time_codes')
    .values({ user_id: userId, organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** Replaces all recovery codes with these. */
export async function saveRecoveryCodes(
  tx: Tx,
  { organizationId, userId }: Owner,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, organization_id: organizationId, code_hash })))
    .execute();
}

/** Uses a recovery code, which works once. */
export async function takeRecoveryCode(
  db: Handle,
  clock: Clock,
  userId: string,
  hash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: clock.sql })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the second factor of a person, including the recovery codes. */
export async function dropTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_codes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The ways in which a person can authenticate. */
export type Factors = {
  password: boolean;
  codes: boolean;
  /** The number of unused recovery codes. */
  recoveryCodes: number;
  passkeys: number;
  oidc: boolean;
  /** The organization requires a second factor of everybody. */
  required: boolean;
};

/** The ways in which a person can authenticate. Throws if the organization does not exist. */
export async function factorsOf(db: Handle, { organizationId, userId }: Owner): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select exists (select from passwords where user_id = ${userId}) as password,
      exists (select from one_time_codes where user_id = ${userId}) as codes,
      (select count(*)::integer from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodes",
      (select count(*)::integer from passkeys where user_id = ${userId}) as passkeys,
      exists (select from oidc_identities where user_id = ${userId}) as oidc,
      requires_two_factor as required
    from organizations where id = ${organizationId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`organization ${organizationId} does not exist`);
  return row;
}

/**
 * The factors of a person whose row stays locked until the end of the transaction, because two of them that are removed
 * at the same time must not both count the other one as remaining.
 */
export async function lockFactors(tx: Tx, { organizationId, userId }: Owner): Promise<Factors> {
  await sql`
    select from users where organization_id = ${organizationId} and id = ${userId} for no key update`.execute(
    tx,
  );
  return factorsOf(tx, { organizationId, userId });
}

/** Whether the organization requires two factors, and how many active people have not set theirs up. */
export async function twoFactorOf(
  db: Handle,
  organizationId: string,
): Promise<{ required: boolean; without: number }> {
  const { rows } = await sql<{ required: boolean; without: number }>`
    select requires_two_factor as required, (
      select count(*)::integer from users u where u.organization_id = o.id and u.disabled_at is null
        and not exists (select from one_time_codes c where c.user_id = u.id)
        and not exists (select from passkeys p where p.user_id = u.id)
        and not exists (select from oidc_identities i where i.user_id = u.id)) as without
    from organizations o where id = ${organizationId}`.execute(db);
  return rows[0] ?? { required: false, without: 0 };
}

export async function requireTwoFactor(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  required: boolean,
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ requires_two_factor: required, updated_at: at })
    .where('id', '=', organizationId)
    .execute();
}

export type Passkey = {
  id: string;
  organizationId: string;
  userId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  /** The device's counter of uses, if it has one. */
  counter: number;
  transports: string[];
};

/** A passkey of a person who may sign in. */
export async function findPasskey(db: Handle, credentialId: Buffer): Promise<Passkey | null> {
  const row = await db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.id',
      'p.organization_id as organizationId',
      'p.user_id as userId',
      'p.credential_id as credentialId',
      'p.public_key as publicKey',
      'p.counter',
      'p.transports',
    ])
    .where('p.credential_id', '=', credentialId)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  return row ? { ...row, counter: Number(row.counter) } : null;
}

export async function notePasskeyUse(db: Handle, clock: Clock, id: string, counter: number): Promise<void> {
  await db.updateTable('passkeys').set({ counter, last_used_at: clock.sql }).where('id', '=', id).execute();
}

export async function insertPasskey(
  db: Handle,
  at: Temporal.Instant,
  { id, organizationId, userId, credentialId, publicKey, counter, transports }: Passkey,
  name: string,
): Promise<void> {
  await db
    .insertInto('passkeys')
    .values({
      id,
      organization_id: organizationId,
      user_id: userId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports,
      name,
      created_at: at,
    })
    .execute();
}

export type OwnPasskey = {
  id: string;
  credentialId: Buffer;
  transports: string[];
  name: string;
  lastUsedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
};

/** A person's passkeys, oldest first. */
export async function listPasskeys(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<OwnPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select([
      'id',
      'credential_id as credentialId',
      'transports',
      'name',
      'last_used_at as lastUsedAt',
      'created_at as createdAt',
    ])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Returns false if the person has no such passkey. */
export async function deletePasskey(
  db: Handle,
  organizationId: string,
  userId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The person who has signed in with this identity before. */
export async function findIdentity(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<(Owner & { disabled: boolean }) | null> {
  const { rows } = await sql<Owner & { disabled: boolean }>`
    select i.organization_id as "organizationId", i.user_id as "userId", u.disabled_at is not null as disabled
    from oidc_identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`.execute(tx);
  return rows[0] ?? null;
}

/** An active person with this address, in the oldest organization first. */
export async function findByAddress(tx: Tx, email: string): Promise<Owner | null> {
  const { rows } = await sql<Owner>`
    select u.organization_id as "organizationId", u.id as "userId" from users u
    where ${isActiveAt(email)} order by u.id limit 1`.execute(tx);
  return rows[0] ?? null;
}

export async function linkIdentity(
  tx: Tx,
  at: Temporal.Instant,
  issuer: string,
  subject: string,
  { organizationId, userId }: Owner,
): Promise<void> {
  await tx
    .insertInto('oidc_identities')
    .values({ issuer, subject, organization_id: organizationId, user_id: userId, created_at: at })
    .execute();
}

/** Whether a person signs in with another identity of this provider. */
export async function hasIdentity(
  tx: Tx,
  issuer: string,
  { organizationId, userId }: Owner,
): Promise<boolean> {
  const { rows } = await sql`
    select from oidc_identities where issuer = ${issuer} and organization_id = ${organizationId} and user_id = ${userId}
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Unlinks a person from their identity, so that the next identity with their address is linked instead. */
export async function forgetIdentities(tx: Tx, { organizationId, userId }: Owner): Promise<number> {
  const { rows } = await sql`
    delete from oidc_identities where organization_id = ${organizationId} and user_id = ${userId} returning 1`.execute(
    tx,
  );
  return rows.length;
}
