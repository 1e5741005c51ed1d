import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

type Owner = { organizationId: string; userId: string };

/**
 * Ends what lets somebody in without being asked again: their sessions but one (hash in base64), the one-time links for
 * them, and sign-ins that wait for a code. Keys stay. Returns how many sessions ended.
 */
export async function endSessions(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  exceptHash = '',
): Promise<number> {
  await sql`
    update sign_in_links set expires_at = ${at} where organization_id = ${organizationId} and user_id = ${userId}
      and used_at is null and expires_at > ${at}`.execute(db);
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
