import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { type Idempotency, idempotencyConflict } from './idempotency.ts';

/** The answer to the first request with a key. */
export type FirstAnswer = { status: number; answer: Buffer };

/** Whose idempotency key it is: the API key of the request, and its organization. */
export type KeyOwner = { credential: string; organizationId: string };

/**
 * Claims an idempotency key for a request that is answered when it has finished. Returns null for a new key: the
 * transaction now holds it, and stores its answer with `keepAnswer`. Returns the first answer for a known key; throws a 409
 * fault if the body differs. Waits for another transaction that holds the key.
 */
export async function claimKey(
  tx: Tx,
  at: Temporal.Instant,
  owner: KeyOwner,
  { key, fingerprint }: Idempotency,
): Promise<FirstAnswer | null> {
  const { rows } = await sql`
    insert into idempotency_keys as known (credential, key, fingerprint, organization_id, created_at)
    values (${owner.credential}, ${key}, ${fingerprint}, ${owner.organizationId}, ${at})
    on conflict (credential, key) do update
      set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = excluded.created_at
      where known.created_at < excluded.created_at - interval '24 hours'
    returning key`.execute(tx);
  if (rows.length > 0) return null;
  const known = await findAnswer(tx, owner.credential, key);
  if (!known) throw new Error('an idempotency key is neither free nor known');
  if (!known.fingerprint.equals(fingerprint)) throw idempotencyConflict();
  return { status: known.status, answer: known.answer };
}

/** Stores the answer under the key that `claimKey` claimed in this transaction. */
export async function keepAnswer(
  tx: Tx,
  owner: KeyOwner,
  { key }: Idempotency,
  { status, answer }: FirstAnswer,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, answer })
    .where('credential', '=', owner.credential)
    .where('key', '=', key)
    .execute();
}

/** The answer that was stored under a key; null when there is none. */
export async function findAnswer(
  db: Handle,
  credential: string,
  key: string,
): Promise<(FirstAnswer & { fingerprint: Buffer; createdAt: Temporal.Instant }) | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer', 'created_at as createdAt'])
    .where('credential', '=', credential)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.answer && row.status !== null ? { ...row, status: row.status, answer: row.answer } : null;
}

/** Deletes keys that are older than 24 hours, at most `limit`. Returns their number. */
export async function forgetOldAnswers(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    delete from idempotency_keys where (credential, key) in (
      select credential, key from idempotency_keys where created_at < ${clock.sql} - interval '24 hours'
      limit ${limit} for update skip locked)
    returning key`.execute(db);
  return rows.length;
}
