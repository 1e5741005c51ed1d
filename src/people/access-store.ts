import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';

type Owner = { organizationId: string; userId: string };

/**
 * Ends all sessions of a person except one (hash in base64), their one-time links, and sign-ins that wait for a code.
 * Keys stay valid. Returns how many sessions ended.
 */
export async function endSessions(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  exceptHash = '',
): Promise<number> {
  await endLinksFor(db, at, { organizationId, userId });
  await sql`
    delete from challenges where organization_id = ${organizationId} and user_id = ${userId}
      and purpose in ('second_factor', 'new_password')`.execute(db);
  const { rows } = await sql`
    update sessions set revoked_at = ${at}
    where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null
      and id_hash <> decode(${exceptHash}, 'base64')
    returning 1`.execute(db);
  return rows.length;
}

/**
 * Ends the one-time links that sign in as a person. Also call it when their role changes. Otherwise, an admin who made a link for
 * a member could sign in with it as an owner.
 */
export async function endLinksFor(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
): Promise<void> {
  await sql`
    update sign_in_links set expires_at = ${at} where organization_id = ${organizationId} and user_id = ${userId}
      and used_at is null and expires_at > ${at}`.execute(db);
}

/** How many sessions, keys and links of a person have ended. */
type Ended = {
  sessions: number;
  api_keys: number;
  invitations: number;
  /** Created by them for others. */
  sign_in_links: number;
  calendar_feeds: number;
};

/**
 * Ends everything that a person holds or has created for others: sessions, keys, invitations, sign-in links for them
 * and by them, calendar feeds, and acknowledge links. Their history stays.
 */
export async function endAccess(db: Handle, at: Temporal.Instant, owner: Owner): Promise<Ended> {
  const { organizationId, userId } = owner;
  const sessions = await endSessions(db, at, owner);
  const { rows } = await sql<Omit<Ended, 'sessions'>>`
    with keys as (
      update api_keys set revoked_at = ${at} where organization_id = ${organizationId} and user_id = ${userId}
        and revoked_at is null returning 1
    ), invited as (
      update invitations set revoked_at = ${at} where organization_id = ${organizationId} and invited_by = ${userId}
        and accepted_at is null and revoked_at is null returning 1
    ), links as (
      update sign_in_links set expires_at = ${at} where organization_id = ${organizationId} and made_by = ${userId}
        and used_at is null and expires_at > ${at} returning 1
    ), feeds as (
      delete from calendar_feeds where organization_id = ${organizationId} and user_id = ${userId} returning 1
    ), begun as (
      delete from challenges where organization_id = ${organizationId} and user_id = ${userId}
    ), person as (
      update users set access_since = ${at} where organization_id = ${organizationId} and id = ${userId}
    )
    select (select count(*)::int from keys) as api_keys, (select count(*)::int from invited) as invitations,
      (select count(*)::int from links) as sign_in_links, (select count(*)::int from feeds) as calendar_feeds`.execute(
    db,
  );
  const [ended] = rows;
  if (!ended) throw new Error('the statement that ends the access of a person returned no row');
  return { sessions, ...ended };
}

type SeenSecret = { id: string; name: string; team: string; signed: boolean };

/**
 * Webhooks whose URL and signing secret a person could read: those of all teams for owners and admins, otherwise of
 * their teams.
 */
export async function secretsSeenBy(
  db: Handle,
  { organizationId, userId }: Owner,
  limit: number,
): Promise<{ webhooks: SeenSecret[]; total: number }> {
  const { rows } = await sql<SeenSecret & { total: number }>`
    select w.id, w.name, t.name as team, w.signing_secret_sealed is not null as signed,
      (count(*) over ())::int as total
    from webhooks w join teams t on t.id = w.team_id join users u on u.id = ${userId}
    where w.organization_id = ${organizationId} and u.organization_id = ${organizationId} and w.revoked_at is null
      and (u.role in ('owner', 'admin') or exists (select from team_members m
        where m.team_id = w.team_id and m.user_id = u.id and m.role = 'manager'))
    order by lower(t.name), lower(w.name), w.id limit ${limit}`.execute(db);
  return { webhooks: rows.map(({ total: _, ...seen }) => seen), total: rows[0]?.total ?? 0 };
}

/** Owners who can sign in of these organizations, or of all if null, by id. */
async function listOwners(db: Handle, organizationIds: readonly string[] | null): Promise<Owner[]> {
  const which =
    organizationIds === null
      ? sql``
      : sql`organization_id = any(${[...new Set(organizationIds)]}::text[]) and`;
  const { rows } = await sql<Owner>`
    select organization_id as "organizationId", id as "userId" from users
    where ${which} role = 'owner' and disabled_at is null order by id`.execute(db);
  return rows;
}

/** The ids of the owners of these organizations who can sign in, by organization. */
export async function ownersOf(
  db: Handle,
  organizationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const owners = Map.groupBy(await listOwners(db, organizationIds), ({ organizationId }) => organizationId);
  return new Map([...owners].map(([id, its]) => [id, its.map(({ userId }) => userId)]));
}

/** Whether somebody who can sign in owns the organization. Until the transaction ends, no owner can be disabled or demoted. */
export async function lockOwners(tx: Tx, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where organization_id = ${organizationId} and role = 'owner' and disabled_at is null
    order by id for no key update`.execute(tx);
  return rows.length > 0;
}

/** The owners of all organizations who can sign in. For duties, never for a request. */
export async function ownersEverywhere(db: Handle): Promise<Owner[]> {
  return listOwners(db, null);
}

/** How many owners can sign in besides this person. */
export async function countOtherOwners(db: Handle, organizationId: string, userId: string): Promise<number> {
  return (await listOwners(db, [organizationId])).filter((owner) => owner.userId !== userId).length;
}

/** The owners and admins of the organization, except one person. */
export async function runnersBut(db: Handle, { organizationId, userId }: Owner): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where organization_id = ${organizationId} and id <> ${userId}
      and role in ('owner', 'admin') and disabled_at is null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Revokes invitations to an address whose person was created or changed in another way, because they are outdated. */
export async function endInvitationsTo(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  email: string,
): Promise<void> {
  await sql`
    update invitations set revoked_at = ${at} where organization_id = ${organizationId}
      and lower(email) = ${email.trim().toLowerCase()} and accepted_at is null and revoked_at is null`.execute(
    db,
  );
}

/** Records that a person has proved their email address. */
export async function proveAddress(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
): Promise<void> {
  await sql`
    update users set email_proved_at = coalesce(email_proved_at, ${at})
    where organization_id = ${organizationId} and id = ${userId}`.execute(db);
}

/** Whether they have proved it: with a link or a code from an email, or through their identity provider. */
export async function isAddressProved(db: Handle, { organizationId, userId }: Owner): Promise<boolean> {
  const { rows } = await sql<{ proved: boolean }>`
    select u.email_proved_at is not null or exists (select from contact_methods m where m.user_id = u.id
      and m.type = 'email' and lower(m.value) = lower(u.email) and m.proved_at is not null) as proved
    from users u where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  return rows[0]?.proved ?? false;
}

/**
 * Removes the credentials that another person may have created for an address that was not proved: passwords, passkeys,
 * second factors, sessions, links, and keys from the dashboard. The operator's keys stay valid.
 */
export async function dropUnprovedWaysIn(db: Handle, at: Temporal.Instant, owner: Owner): Promise<void> {
  await endSessions(db, at, owner);
  const whose = sql`organization_id = ${owner.organizationId} and user_id = ${owner.userId}`;
  for (const table of ['passwords', 'passkeys', 'one_time_codes', 'recovery_codes'])
    await sql`delete from ${sql.table(table)} where ${whose}`.execute(db);
  await sql`
    update api_keys set revoked_at = ${at} where ${whose} and made_by = ${owner.userId} and revoked_at is null`.execute(
    db,
  );
}
