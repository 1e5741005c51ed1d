import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { type Idempotency, idempotencyConflict } from './idempotency.ts';
import { findAnswer } from './store.ts';

/** What a request was answered the first time. */
export type FirstAnswer = { status: number; answer: Buffer };

/** Whose key it is: the API key that asked, and its organization. */
export type KeyOwner = { credential: string; organizationId: string };

/**
 * Takes an idempotency key for this transaction, for requests that are answered when they are done. Null: the key is
 * new, and belongs to the transaction, which keeps its answer with `keepAnswer`. Otherwise the first answer is to be
 * given again. Waits for another transaction that has the key; one that is rolled back leaves no trace of it. Another
 * body under a known key is a 409 fault.
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

/** Keeps the answer under the key that `claimKey` took in this transaction. */
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
