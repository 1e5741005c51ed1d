import { sql } from 'kysely';
import type { Clock } from '../../db/clock.ts';
import type { Handle, Tx } from '../../db/database.ts';
import { firstIdAt } from '../../kit/typeid.ts';
import { endInvitationsTo } from '../../people/access-store.ts';
import type { Role } from '../../people/contract.ts';

export type Invitation = {
  id: string;
  organizationId: string;
  organization: string;
  email: string;
  name: string | null;
  role: Role;
  teamIds: string[];
  /** Names of the teams that still exist. */
  teams: string[];
  /** Sealed. */
  token: Buffer;
  invitedBy: string | null;
  /** The inviter's current rights; `manages`: all of the teams. Null if the inviter is no longer active. */
  inviter: { role: Role; manages: boolean } | null;
  expired: boolean;
  expiresAt: Temporal.Instant;
  createdAt: Temporal.Instant;
};

const columns = (
  clock: Clock,
) => sql`i.id, i.organization_id as "organizationId", o.name as organization, i.email, i.name,
  i.role, i.team_ids as "teamIds", i.token, inviter.name as "invitedBy",
  case when inviter.id is not null and inviter.disabled_at is null then jsonb_build_object('role', inviter.role, 'manages',
    not exists (select from unnest(i.team_ids) as wanted(id) where not exists (select from team_members m
      where m.team_id = wanted.id and m.user_id = inviter.id and m.role = 'manager'))) end as inviter, i.expires_at <= ${clock.sql} as expired,
  i.expires_at as "expiresAt", i.created_at as "createdAt",
  coalesce(array(select t.name from teams t where t.organization_id = i.organization_id and t.id = any(i.team_ids)
    order by t.name), '{}') as teams
  from invitations i join organizations o on o.id = i.organization_id left join users inviter on inviter.id = i.invited_by
  where i.accepted_at is null and i.revoked_at is null`;

/** Invitations that were neither accepted nor revoked, newest first. */
export async function listInvitations(
  db: Handle,
  clock: Clock,
  organizationId: string,
): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select ${columns(clock)} and i.organization_id = ${organizationId} order by i.id desc limit 500`.execute(
    db,
  );
  return rows;
}

/** An invitation, with its row locked. */
export async function lockInvitation(
  tx: Tx,
  clock: Clock,
  organizationId: string,
  id: string,
): Promise<Invitation | null> {
  const { rows } = await sql<Invitation>`
    select ${columns(clock)} and i.organization_id = ${organizationId} and i.id = ${id} for update of i`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The invitation of a token, which is all that is needed to see it. */
export async function findInvitation(
  db: Handle,
  clock: Clock,
  tokenHash: Buffer,
): Promise<Invitation | null> {
  const { rows } = await sql<Invitation>`select ${columns(clock)} and i.token_hash = ${tokenHash}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same with its row locked, so that it can be accepted only once. */
export async function lockInvitationByToken(
  tx: Tx,
  clock: Clock,
  tokenHash: Buffer,
): Promise<Invitation | null> {
  const { rows } = await sql<Invitation>`
    select ${columns(clock)} and i.token_hash = ${tokenHash} for update of i`.execute(tx);
  return rows[0] ?? null;
}

/** The valid invitations to an address, of the oldest organization first. */
export async function invitationsTo(tx: Tx, clock: Clock, email: string): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select ${columns(clock)} and lower(i.email) = ${email.toLowerCase()} and i.expires_at > ${clock.sql}
    order by i.id for update of i`.execute(tx);
  return rows;
}

/** A new invitation replaces an open one to the same address. */
export async function saveInvitation(
  tx: Tx,
  at: Temporal.Instant,
  invitation: {
    id: string;
    organizationId: string;
    email: string;
    name: string | null;
    role: Role;
    teamIds: string[];
    tokenHash: Buffer;
    token: Buffer;
    invitedBy: string;
    expiresAt: Temporal.Instant;
  },
): Promise<void> {
  await endInvitationsTo(tx, at, invitation.organizationId, invitation.email);
  await tx
    .insertInto('invitations')
    .values({
      id: invitation.id,
      organization_id: invitation.organizationId,
      email: invitation.email,
      name: invitation.name,
      role: invitation.role,
      team_ids: invitation.teamIds,
      token_hash: invitation.tokenHash,
      token: invitation.token,
      invited_by: invitation.invitedBy,
      expires_at: invitation.expiresAt,
      created_at: at,
    })
    .execute();
}

export async function revokeInvitation(tx: Tx, at: Temporal.Instant, id: string): Promise<void> {
  await tx.updateTable('invitations').set({ revoked_at: at }).where('id', '=', id).execute();
}

export async function acceptInvitation(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  userId: string,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ accepted_at: at, accepted_by: userId })
    .where('id', '=', id)
    .execute();
}

/** Removes invitations that ended more than a month ago. Returns how many. */
export async function forgetOldInvitations(db: Handle, at: Temporal.Instant, limit: number): Promise<number> {
  const before = at.subtract({ hours: 30 * 24 });
  const { rows } = await sql`
    delete from invitations where id in (
      select id from invitations where id < ${firstIdAt('invitation', before)}
        and coalesce(accepted_at, revoked_at, expires_at) < ${before}
      order by id limit ${limit}) returning id`.execute(db);
  return rows.length;
}

/** The person of the organization with this address. */
export async function findMember(
  db: Handle,
  organizationId: string,
  email: string,
): Promise<{ id: string; name: string; disabled: boolean } | null> {
  const { rows } = await sql<{ id: string; name: string; disabled: boolean }>`
    select u.id, u.name, u.disabled_at is not null as disabled
    from users u where u.organization_id = ${organizationId} and lower(u.email) = ${email.trim().toLowerCase()}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Makes a person a member of these teams, as far as they still exist. */
export async function joinTeams(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
  teamIds: readonly string[],
): Promise<void> {
  await sql`
    insert into team_members (organization_id, team_id, user_id, created_at)
    select organization_id, id, ${userId}, ${at}::timestamptz from teams
    where organization_id = ${organizationId} and id = any(${teamIds}::text[])
    on conflict do nothing`.execute(tx);
}

/** The data that decides whether a link may be created for a person, with the row locked. */
export async function lockForLink(
  tx: Tx,
  organizationId: string,
  userId: string,
): Promise<{ name: string; email: string; role: Role; organization: string } | null> {
  const { rows } = await sql<{ name: string; email: string; role: Role; organization: string }>`
    select u.name, u.email, u.role, o.name as organization from users u join organizations o on o.id = u.organization_id
    where u.organization_id = ${organizationId} and u.id = ${userId} and u.disabled_at is null for update of u`.execute(
    tx,
  );
  return rows[0] ?? null;
}
