import type { Tx } from '../../db/database.ts';
import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { oneLine } from '../../kit/one-line.ts';
import type { WebhookSettings } from '../../moments/settings.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { listOrganizations, type Organization } from '../../people/store.ts';
import { findTeamBySlug, listTeams } from '../../people/team-store.ts';
import { createWebhook } from '../../webhooks/actions.ts';
import { webhookUrl } from '../../webhooks/contract.ts';
import { didYouMean } from '../apply/file/near.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { hasName, severalOrganizations } from './people.ts';

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
    const entry = { action: 'webhook.create', subject: created.id, data };
    await recordAudit(tx, at, organization.id, null, [entry]);
    return created;
  });
  const url = webhookUrl(local.config.publicUrl, token, options.type);
  return { id, url, name: options.name, type: options.type, team: options.team };
}

async function findTeam(
  tx: Tx,
  slug: string,
  organizationName: string | null,
): Promise<{ organization: Organization; teamId: string }> {
  const found: { organization: Organization; teamId: string }[] = [];
  const slugs: string[] = [];
  for (const organization of await listOrganizations(tx)) {
    if (!hasName(organization, organizationName)) continue;
    const team = await findTeamBySlug(tx, organization.id, slug);
    if (team) found.push({ organization, teamId: team.id });
    else slugs.push(...(await listTeams(tx, organization.id)).map((other) => other.slug));
  }
  const [only] = found;
  if (found.length > 1)
    throw severalOrganizations(
      `The team ${slug} is in`,
      found.map(({ organization }) => organization),
    );
  if (only) return only;
  const hint = didYouMean(slug, slugs) || `; there are ${slugs.join(', ') || 'none yet'}`;
  throw new Refusal(`There is no team ${JSON.stringify(slug)}${hint}`);
}

/** Replaces the API's field names in a fault with the names of options. */
function inTermsOfOptions(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const text = sentences(error.details.map(({ field, message }) => ({ field: optionOf(field), message })));
  return new Refusal(text, { details: error.details });
}

/** `settings.filter.labels` is a field of the JSON in `--settings`. */
function optionOf(field: string): string {
  const [name = '', ...inside] = field.split('.');
  return [`--${OPTIONS[name] ?? name}`, inside.join('.')].filter(Boolean).join(' ');
}

const OPTIONS: Record<string, string> = { expires_at: 'expires', signing_secret: 'signing-secret' };
