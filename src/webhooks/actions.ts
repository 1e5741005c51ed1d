import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { insertWebhook, markRevoked } from './store.ts';
import { type WebhookDefinition, webhookProblems } from './webhook.ts';

/**
 * Makes a webhook. The token is found by its hash and kept sealed, so that the URL can be shown again; build the URL
 * with `webhookUrl`. A `bad_request` fault names everything that is wrong, `conflict` a name that the team uses.
 */
export async function createWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  definition: WebhookDefinition,
): Promise<{ id: string; token: string }> {
  const problems = webhookProblems(definition, at);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const id = newId('webhook');
  const token = randomToken();
  const { signingSecret } = definition;
  const inserted = await insertWebhook(tx, at, {
    ...definition,
    id,
    tokenHash: sha256(token),
    tokenSealed: sealing.seal(token),
    signingSecretSealed: signingSecret === null ? null : sealing.seal(signingSecret),
  });
  if (!inserted)
    throw new Fault('conflict', [
      { field: 'name', message: 'is taken by another webhook of this team; give another one' },
    ]);
  return { id, token };
}

/** Ends a webhook at once: within half a second its URL is unknown on every node. Not found in this organization: a fault. */
export async function revokeWebhook(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  if (!(await markRevoked(tx, at, organizationId, webhookId)))
    throw new Fault('not_found', [{ field: 'webhook', message: 'is not known or was revoked already' }]);
}
