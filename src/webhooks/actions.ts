import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import type { WebhookSettings } from '../moments/settings.ts';
import { type ManagedWebhook, replaceToken, updateWebhook } from './manage-store.ts';
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
  if (!inserted) throw nameTaken();
  return { id, token };
}

/** Left out: stays. Null: there is none from now on. */
export type WebhookEdit = {
  name?: string;
  expiresAt?: Temporal.Instant | null;
  signingSecret?: string | null;
  settings?: WebhookSettings;
};

/** Changes a webhook whose row is locked. Faults as for `createWebhook`, about what is changed only. */
export async function changeWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  organizationId: string,
  webhook: Pick<ManagedWebhook, 'id' | 'name' | 'type' | 'team'>,
  edit: WebhookEdit,
): Promise<void> {
  const { name, expiresAt, signingSecret, settings } = edit;
  const problems = webhookProblems(
    {
      ...{ organizationId, teamId: webhook.team.id, type: webhook.type, createdBy: null },
      ...{ name: name ?? webhook.name, expiresAt: expiresAt ?? null },
      ...{ signingSecret: signingSecret ?? null, settings: settings ?? {} },
    },
    at,
  );
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const changed = await updateWebhook(tx, at, organizationId, webhook.id, {
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(signingSecret === undefined
      ? {}
      : { signingSecretSealed: signingSecret === null ? null : sealing.seal(signingSecret) }),
    ...(settings === undefined ? {} : { settings }),
  });
  if (!changed) throw nameTaken();
}

/** Makes a new URL for a webhook; the old one works until `oldUntil`, or ends at once when that is null. */
export async function rotateWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  organizationId: string,
  webhookId: string,
  oldUntil: Temporal.Instant | null,
): Promise<{ token: string }> {
  if (oldUntil && Temporal.Instant.compare(oldUntil, at) <= 0)
    throw new Fault('bad_request', [
      {
        field: 'old_until',
        message: `is ${instantText(oldUntil)}, which is past; give a later time, or null to end the old URL at once`,
      },
    ]);
  const token = randomToken();
  const webhook = {
    organizationId,
    id: webhookId,
    tokenHash: sha256(token),
    tokenSealed: sealing.seal(token),
  };
  await replaceToken(tx, at, webhook, oldUntil);
  return { token };
}

function nameTaken(): Fault {
  return new Fault('conflict', [
    { field: 'name', message: 'is taken by another webhook of this team; give another one' },
  ]);
}

/** Ends a webhook at once: within half a second its URL is unknown on every node. Not found in this organization: a fault. */
export async function revokeWebhook(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  if (!(await markRevoked(tx, at, organizationId, webhookId)))
    throw new Fault('not_found', [{ field: 'webhook', message: 'This webhook is unknown or was revoked.' }]);
}
