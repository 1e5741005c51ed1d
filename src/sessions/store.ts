import type { Handle } from '../db/database.ts';

export async function insertSignInLink(
  db: Handle,
  at: Temporal.Instant,
  link: { organizationId: string; userId: string; tokenHash: Buffer; expiresAt: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('sign_in_links')
    .values({
      token_hash: link.tokenHash,
      organization_id: link.organizationId,
      user_id: link.userId,
      expires_at: link.expiresAt,
      created_at: at,
    })
    .execute();
}
