import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { OwnerOptions } from '../local/create-owner.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Make an owner, and the organization if there is none; print a sign-in link that works once, for a day. ' +
  'For somebody who exists it prints a new link, and makes them an owner.';

export function ownerCommand(session: Session): Command {
  const create = createCommand('create', DESCRIPTION, [
    'owner create --email ada@example.com --name "Ada Lovelace"',
    'owner create --email ada@example.com --name "Ada Lovelace" --organization Acme',
  ])
    .requiredOption('--email <email>', 'how the owner is known and reached')
    .requiredOption('--name <name>', 'name of the person')
    .option('--organization <name>', 'name of the organization; the domain of the email if left out')
    .action(async (options: OwnerOptions) => {
      const { createOwner } = await import('../local/create-owner.ts');
      await createOwner(session, options);
    });
  return createCommand('owner', 'Make owners of the organization.').addCommand(create);
}
