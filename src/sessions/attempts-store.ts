import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
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
