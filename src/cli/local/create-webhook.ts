import { oneLine } from '../../kit/one-line.ts';
import type { WebhookSettings } from '../../moments/settings-contract.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { createWebhook } from '../../webhooks/actions.ts';
import { webhookUrl } from '../../webhooks/contract.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { inTermsOfOptions } from './option-names.ts';
import { findTeam } from './teams.ts';

export type WebhookOptions = {
  team: string;
  name: string;
  type: string;
  organization?: string;
  expires?: Temporal.Instant;
  signingSecret?: string;
  /** Validated like those of the API. */
  settings?: WebhookSettings;
};

/** Creates a webhook and prints its URL. */
export async function makeWebhook(session: Session, options: WebhookOptions): Promise<void> {
  const made = await withLocal(session, (local) => saveWebhook(local, options));
  session.output.result(made.url, made);
}

async function saveWebhook(local: Local, options: WebhookOptions) {
  const sealing = await local.openSealing();
  const { id, token } = await local.db.transaction().execute(async (tx) => {
    const at = await local.clock.now(tx);
    const { organization, teamId } = await findTeam(tx, options.team, options.organization ?? null);
    const created = await createWebhook(tx, at, sealing, {
      organizationId: organization.id,
      teamId,
      name: oneLine(options.name),
      type: options.type,
      expiresAt: options.expires ?? null,
      signingSecret: options.signingSecret ?? null,
      settings: options.settings ?? {},
      createdBy: null,
    }).catch((error: unknown) => {
      throw inTermsOfOptions(error);
    });
    const data = { name: options.name, type: options.type, team: options.team };
    const entry: AuditEntry = { action: 'webhook.create', subject: created.id, data };
    await recordAudit(tx, at, organization.id, null, [entry]);
    return created;
  });
  const url = webhookUrl(local.config.publicUrl, token, options.type);
  return { id, url, name: options.name, type: options.type, team: options.team };
}
