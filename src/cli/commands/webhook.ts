import type { Command } from 'commander';
import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { listOrganizations, type Organization } from '../../people/store.ts';
import { findTeamBySlug, listTeams } from '../../people/team-store.ts';
import { createWebhook } from '../../webhooks/actions.ts';
import { webhookUrl } from '../../webhooks/contract.ts';
import { didYouMean } from '../apply/file/near.ts';
import { createCommand, instantOption } from '../command.ts';
import { type Local, withLocal } from '../local.ts';
import { hasName, severalOrganizations } from '../local-people.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';

type Options = {
  team: string;
  name: string;
  type: string;
  organization?: string;
  expires?: Temporal.Instant;
  signingSecret?: string;
};

export function webhookCommand(session: Session): Command {
  const create = createCommand('create', 'Make a webhook and print its URL alone on stdout.', [
    'webhook create --team sre --name Alertmanager --type alertmanager',
    'webhook create --team sre --name "Old probes" --type custom --expires 2027-01-01T00:00:00Z',
  ])
    .requiredOption('--team <slug>', 'the team whose moments it creates')
    .requiredOption('--name <name>', 'label, unique within the team')
    .requiredOption('--type <type>', 'custom, or the name of an integration')
    .option('--expires <time>', 'until when calls are accepted', instantOption)
    .option('--signing-secret <secret>', 'what the sender signs its calls with, for types that do')
    .option('--organization <name>', 'needed only if several have a team of that name')
    .action((options: Options) => withLocal(session, (local) => makeWebhook(session, local, options)));
  return createCommand('webhook', 'Make webhooks, at which other programs report moments.').addCommand(
    create,
  );
}

async function makeWebhook({ output }: Session, local: Local, options: Options): Promise<void> {
  const sealing = await local.openSealing();
  const { id, token } = await local.db.transaction().execute(async (tx) => {
    const at = await local.clock.now(tx);
    const { organization, teamId } = await findTeam(tx, options.team, options.organization ?? null);
    const created = await createWebhook(tx, at, sealing, {
      organizationId: organization.id,
      teamId,
      name: options.name,
      type: options.type,
      expiresAt: options.expires ?? null,
      signingSecret: options.signingSecret ?? null,
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
  output.result(url, { id, url, name: options.name, type: options.type, team: options.team });
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

/** A fault names the fields of the API; a person at the command line knows options. */
function inTermsOfOptions(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const sentences = error.details.map(({ field, message }) => `--${OPTIONS[field] ?? field} ${message}`);
  return new Refusal(`${sentences.join('; ')}.`, { details: error.details });
}

const OPTIONS: Record<string, string> = { expires_at: 'expires', signing_secret: 'signing-secret' };
