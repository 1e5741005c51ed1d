import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { OwnerOptions } from '../local/create-owner.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Create an owner, and the organization if there is none, and print a sign-in link that works once, within a day. An existing person becomes an owner and gets a new link.';

export function ownerCommand(session: Session): Command {
  const create = createCommand('create', DESCRIPTION, [
    'owner create --email ada@example.com --name "Ada Lovelace"',
    'owner create --email ada@example.com --name "Ada Lovelace" --organization Acme',
  ])
    .requiredOption('--email <email>', 'the email address of the owner')
    .requiredOption('--name <name>', 'the name of the owner')
    .option(
      '--organization <name>',
      'the name of the organization; the default is the domain of the email address',
    )
    .action(async (options: OwnerOptions) => {
      const { createOwner } = await import('../local/create-owner.ts');
      await createOwner(session, options);
    });
  return createCommand('owner', 'Create owners of the organization.').addCommand(create);
}
