import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import type { WebhookKind } from './contract.ts';
import {
  endFormerTokens,
  insertWebhook,
  type ManagedWebhook,
  markRevoked,
  replaceToken,
  updateWebhook,
} from './store.ts';
import { type WebhookDefinition, webhookProblems } from './webhook.ts';

/**
 * Creates a webhook. Its token is looked up by hash and also stored encrypted, so that the URL can be shown again;
 * build the URL with `webhookUrl`. @throws Fault `bad_request` with every invalid field, `conflict` if the team has a
 * webhook of this name
 */
export async function createWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  definition: WebhookDefinition,
): Promise<{ id: string; token: string }> {
  const problems = webhookProblems(definition, at);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  return addWebhook(tx, at, sealing, definition, 'webhook');
}

/** Creates a webhook or a page source from a checked definition. Throws `conflict` like `createWebhook`. */
export async function addWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  definition: WebhookDefinition,
  kind: WebhookKind,
): Promise<{ id: string; token: string }> {
  const id = newId(kind);
  const token = randomToken();
  const { signingSecret } = definition;
  const inserted = await insertWebhook(tx, at, {
    ...definition,
    id,
    pages: kind === 'source',
    tokenHash: sha256(token),
    tokenSealed: sealing.seal(token),
    signingSecretSealed: signingSecret === null ? null : sealing.seal(signingSecret),
  });
  if (!inserted) throw nameTaken(kind);
  return { id, token };
}

/** A missing field does not change; null removes its value. */
export type WebhookEdit = {
  name?: string;
  expiresAt?: Temporal.Instant | null;
  signingSecret?: string | null;
  settings?: WebhookSettings;
};

/** Changes a webhook whose row is locked. Throws the same faults as `createWebhook`, for the changed fields only. */
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
  await editWebhook({ tx, at, sealing }, organizationId, webhook.id, edit, 'webhook');
}

/** Writes a checked change. Throws `conflict` like `createWebhook`. */
export async function editWebhook(
  { tx, at, sealing }: { tx: Tx; at: Temporal.Instant; sealing: Sealing },
  organizationId: string,
  webhookId: string,
  { name, expiresAt, signingSecret, settings }: WebhookEdit,
  kind: WebhookKind,
): Promise<void> {
  const changed = await updateWebhook(tx, at, organizationId, webhookId, {
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(signingSecret === undefined
      ? {}
      : { signingSecretSealed: signingSecret === null ? null : sealing.seal(signingSecret) }),
    ...(settings === undefined ? {} : { settings }),
  });
  if (!changed) throw nameTaken(kind);
}

/** Gives a webhook a new URL. The old one works until `oldUntil`; null ends it at once, with all former ones. */
export async function rotateWebhook(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  organizationId: string,
  webhookId: string,
  oldUntil: Temporal.Instant | null,
): Promise<{ token: string }> {
  demandFuture(oldUntil, at);
  const token = randomToken();
  const webhook = {
    organizationId,
    id: webhookId,
    tokenHash: sha256(token),
    tokenSealed: sealing.seal(token),
  };
  await replaceToken(tx, at, webhook, oldUntil);
  if (oldUntil === null) await endFormerTokens(tx, at, organizationId, webhookId);
  return { token };
}

/** The end of the former URL or key after a rotation has to be in the future. Throws `bad_request`. */
export function demandFuture(oldUntil: Temporal.Instant | null, at: Temporal.Instant): void {
  if (!oldUntil || Temporal.Instant.compare(oldUntil, at) > 0) return;
  throw new Fault('bad_request', [
    {
      field: 'old_until',
      message: t('is {oldUntil}, which is past; give a later time, or null to end the old URL at once', {
        oldUntil: instantText(oldUntil),
      }),
    },
  ]);
}

function nameTaken(kind: WebhookKind): Fault {
  return new Fault('conflict', [
    {
      field: 'name',
      message:
        kind === 'source'
          ? t('is taken by another source of this team; give another one')
          : t('is taken by another webhook of this team; give another one'),
    },
  ]);
}

/**
 * Revokes a webhook or a page source. Within half a second, no node accepts its URL.
 * @throws Fault `not_found` when the organization has no such webhook
 */
export async function revokeWebhook(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  if (!(await markRevoked(tx, at, organizationId, webhookId)))
    throw new Fault('not_found', [
      { field: 'webhook', message: t('This webhook is unknown or was revoked.') },
    ]);
}
