import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Make the organization match a file and plan its schedules. Everything or nothing is applied; what the file does ' +
  'not mention stays.';

type Options = { dryRun?: boolean; prune?: boolean };

export function applyCommand(session: Session): Command {
  return createCommand('apply', DESCRIPTION, [
    'apply examples/acme.yaml --dry-run',
    'apply examples/acme.yaml',
    'apply acme.yaml --prune',
  ])
    .argument('<file>', 'YAML; - reads it from standard input')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--prune', 'remove users, teams, schedules and availabilities that the file does not mention')
    .action(async (file: string, { dryRun = false, prune = false }: Options) => {
      const { apply } = await import('../local/apply.ts');
      await apply(session, file, { dryRun, prune });
    });
}
