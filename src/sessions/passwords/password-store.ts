import { sql } from 'kysely';
import type { Handle } from '../../db/database.ts';

export type Candidate = { organizationId: string; userId: string; hash: string };

/** The accounts with an email address, which may be in several organizations; the oldest first. */
export async function findPasswords(db: Handle, email: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select u.organization_id as "organizationId", u.id as "userId", p.hash
    from users u join passwords p on p.user_id = u.id
    where lower(u.email) = ${email.trim().toLowerCase()} and u.disabled_at is null
    order by u.id limit 5`.execute(db);
  return rows;
}

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
    where lower(u.email) = ${email.trim().toLowerCase()} and u.disabled_at is null
    order by u.id limit 5`.execute(db);
  return rows;
}

/** Facts that a person's password should not contain. */
export async function knownOf(db: Handle, organizationId: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string; name: string; organization: string }>`
    select u.email, u.name, o.name as organization from users u join organizations o on o.id = u.organization_id
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  return rows.flatMap(({ email, name, organization }) => [email, name, organization]);
}
