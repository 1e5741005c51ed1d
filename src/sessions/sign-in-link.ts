import type { Handle } from '../db/database.ts';
import { randomToken, sha256 } from '../kit/sealing.ts';
import { insertSignInLink } from './store.ts';

/** A link is good once, for a day. */
const LINK_LIFETIME = Temporal.Duration.from({ hours: 24 });

/** Makes a one-time sign-in link for somebody; only the hash of its token is kept. */
export async function createSignInLink(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
  /** Null: the operator, on the command line. */
  madeBy: string | null = null,
): Promise<{ token: string; expiresAt: Temporal.Instant }> {
  const token = randomToken();
  const expiresAt = at.add(LINK_LIFETIME);
  await insertSignInLink(db, at, { organizationId, userId, tokenHash: sha256(token), expiresAt, madeBy });
  return { token, expiresAt };
}
