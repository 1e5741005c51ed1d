import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { SignInMethod } from './api-contract.ts';

type Owner = { organizationId: string; userId: string };

export type ListedSession = {
  id: string;
  /** In base64, as in `Authentication`. */
  hash: string;
  userAgent: string;
  place: string;
  method: SignInMethod;
  lastSeenAt: Temporal.Instant;
  createdAt: Temporal.Instant;
};

/** The sessions of a person, the last used first. */
export async function listSessions(
  db: Handle,
  clock: Clock,
  { organizationId, userId }: Owner,
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, encode(id_hash, 'base64') as hash, user_agent as "userAgent", place, method,
      last_seen_at as "lastSeenAt", created_at as "createdAt"
    from sessions where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null
      and expires_at > ${clock.sql} and last_seen_at > ${clock.sql} - interval '14 days'
    order by last_seen_at desc, id desc limit 100`.execute(db);
  return rows;
}

/** Ends one session of a person; false when they have no such session. */
export async function endSession(db: Handle, clock: Clock, owner: Owner, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ revoked_at: clock.sql })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the person has re-authenticated in this session within the last hour. */
export async function isConfirmed(db: Handle, clock: Clock, hash: string): Promise<boolean> {
  const { rows } = await sql<{ confirmed: boolean }>`
    select confirmed_at > ${clock.sql} - interval '1 hour' as confirmed from sessions
    where id_hash = decode(${hash}, 'base64')`.execute(db);
  return rows[0]?.confirmed ?? false;
}

/** Gives the session a new token, so that a stolen old one is useless. False when the session is over. */
export async function renewSession(tx: Tx, clock: Clock, hash: string, newHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update sessions set id_hash = ${newHash}, confirmed_at = ${clock.sql}
    where id_hash = decode(${hash}, 'base64') and revoked_at is null
    returning 1`.execute(tx);
  return rows.length > 0;
}
