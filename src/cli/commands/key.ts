import { type Command, InvalidArgumentError } from 'commander';
import { SCOPES } from '../../keys/contract.ts';
import { createCommand, instantOption } from '../command.ts';
import type { KeyOptions } from '../local/create-key.ts';
import type { Session } from '../session.ts';

export function keyCommand(session: Session): Command {
  const create = createCommand(
    'create',
    'Make an API key and print only the key on stdout. It is shown once.',
    [
      'key create --user ada@example.com --name laptop',
      'key create --user ci@example.com --name deploys --scopes pages,requests --expires 2027-01-01T00:00:00Z',
      'key create --user ada@example.com --name reports --full',
      'export TOCSIN_KEY=$(tocsin key create --user ada@example.com --name laptop)',
    ],
  )
    .requiredOption('--user <email>', 'the person for whom the key acts')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'when the key stops working', instantOption)
    .option('--scopes <scopes>', `what it may do, separated by commas: ${SCOPES.join(', ')}`, scopesOption)
    .option('--full', 'also allow the API of the dashboard (/api)')
    .option('--organization <name>', 'required only if the person belongs to several')
    .action(async (options: KeyOptions) => {
      const { createKey } = await import('../local/create-key.ts');
      await createKey(session, options);
    });
  return createCommand('key', 'Create API keys.').addCommand(create);
}

function scopesOption(text: string): string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new InvalidArgumentError(
    `${JSON.stringify(unknown)} is not a scope; give some of ${SCOPES.join(', ')}.`,
  );
}
