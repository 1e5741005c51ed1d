import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

type Owner = { organizationId: string; userId: string };

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
    select organization_id as "organizationId", id as "userId" from users
    where lower(email) = ${email.toLowerCase()} and disabled_at is null order by id limit 1`.execute(tx);
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
