import type { Command } from 'commander';
import { createCommand, instantOption, jsonOption, SECRET_HINT, secretOption } from '../command.ts';
import type { WebhookOptions } from '../local/create-webhook.ts';
import type { Session } from '../session.ts';

export function webhookCommand(session: Session): Command {
  const create = createCommand('create', 'Make a webhook and print its URL alone on stdout.', [
    'webhook create --team sre --name Alertmanager --type alertmanager',
    'webhook create --team sre --name "Old probes" --type custom --expires 2027-01-01T00:00:00Z',
    `webhook create --team sre --name Tickets --type jira --settings '{"filter": {"types": ["Bug"]}}'`,
  ])
    .requiredOption('--team <slug>', 'the team whose moments it creates')
    .requiredOption('--name <name>', 'label, unique within the team')
    .requiredOption('--type <type>', 'custom, or the name of an integration')
    .option('--expires <time>', 'when it stops accepting calls', instantOption)
    .option(
      '--signing-secret <secret>',
      `the secret with which the sender signs its calls, if its type supports that; ${SECRET_HINT}`,
      secretOption,
    )
    .option(
      '--settings <json>',
      'priorities, filter, near misses and type, as in docs/integrations',
      jsonOption,
    )
    .option('--organization <name>', 'required only if several organizations have a team of that name')
    .action(async (options: WebhookOptions) => {
      const { makeWebhook } = await import('../local/create-webhook.ts');
      await makeWebhook(session, options);
    });
  return createCommand('webhook', 'Create webhooks to which other programs report moments.').addCommand(
    create,
  );
}
