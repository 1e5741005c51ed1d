import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { sha256 } from '../kit/sealing.ts';
import type { Tally } from './attempts.ts';

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
