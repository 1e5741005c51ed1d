import type { Clock } from '../../db/clock.ts';
import type { Handle } from '../../db/database.ts';

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
