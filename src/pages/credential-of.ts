import type { Credential } from '../keys/key.ts';
import type { Viewer } from '../sessions/contract.ts';

/**
 * The credential for a page that is raised from the dashboard. Idempotency keys of a session are scoped to its person.
 */
export function credentialOf({ organizationId, userId, authentication }: Viewer): Credential {
  return {
    keyId: authentication.kind === 'key' ? authentication.id : userId,
    organizationId,
    userId,
    scopes: null,
  };
}
