import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';
import type { Credential } from './key.ts';

/** The SQL condition for a key `k` that is not revoked and not expired, and whose user `u` may still sign in. */
export function isValidKey(clock: Clock): RawBuilder<boolean> {
  return sql<boolean>`(k.revoked_at is null and u.disabled_at is null
    and (k.expires_at is null or k.expires_at > ${clock.sql}))`;
}

/**
 * The credential of a key that is known, not revoked and not expired, if its user may still sign in; otherwise null.
 */
export async function findCredential(db: Handle, clock: Clock, hash: Buffer): Promise<Credential | null> {
  const row = await db
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select(['k.id', 'k.organization_id', 'k.user_id', 'k.scopes', 'k.full_access'])
    .where('k.key_hash', '=', hash)
    .where(isValidKey(clock))
    .executeTakeFirst();
  if (!row) return null;
  const { id, organization_id, user_id, scopes, full_access } = row;
  return { keyId: id, organizationId: organization_id, userId: user_id, scopes, full: full_access };
}

/** Stores a new key by its hash. */
export async function insertKey(
  db: Handle,
  clock: Clock,
  key: {
    id: string;
    organizationId: string;
    userId: string;
    name: string;
    hash: Buffer;
    hint: string;
    scopes: string[] | null;
    /** Missing: access to the public API only. */
    full?: boolean;
    /** Missing: created by the operator on the command line. */
    madeBy?: string;
    expiresAt: Temporal.Instant | null;
  },
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      organization_id: key.organizationId,
      user_id: key.userId,
      name: key.name,
      key_hash: key.hash,
      hint: key.hint,
      scopes: key.scopes,
      full_access: key.full ?? false,
      made_by: key.madeBy ?? null,
      expires_at: key.expiresAt,
      created_at: clock.sql,
    })
    .execute();
}

/** Updates all keys used since the last flush in one statement; last-used times do not justify a write per request. */
export async function markUsed(db: Handle, uses: ReadonlyMap<string, Temporal.Instant>): Promise<void> {
  await sql`
    update api_keys set last_used_at = greatest(last_used_at, used.at)
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used(id, at)
    where api_keys.id = used.id`.execute(db);
}

export type OwnKey = {
  id: string;
  name: string;
  hint: string;
  scopes: string[] | null;
  full: boolean;
  expiresAt: Temporal.Instant | null;
  lastUsedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
};

/** A person's keys that are not revoked, newest first, including expired ones. */
export async function listOwnKeys(db: Handle, organizationId: string, userId: string): Promise<OwnKey[]> {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'hint',
      'scopes',
      'full_access as full',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
      'created_at as createdAt',
    ])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Returns false when the person has no such key or it is already revoked. */
export async function revokeOwnKey(
  db: Handle,
  clock: Clock,
  owner: { organizationId: string; userId: string },
  keyId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: clock.sql })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
