import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

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
