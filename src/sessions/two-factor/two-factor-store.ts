import { sql } from 'kysely';
import type { Clock } from '../../db/clock.ts';
import type { Handle, Tx } from '../../db/database.ts';

type Owner = { organizationId: string; userId: string };

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
