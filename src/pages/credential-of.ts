import type { Credential } from '../keys/key.ts';
import type { Viewer } from '../sessions/contract.ts';

/** As whom somebody raises a page from the dashboard. Idempotency keys of a session are those of its person. */
export function credentialOf({ organizationId, userId, pass }: Viewer): Credential {
  return { keyId: pass.kind === 'key' ? pass.id : userId, organizationId, userId, scopes: null };
}
