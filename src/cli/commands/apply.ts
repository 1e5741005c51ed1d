import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Apply a file to the organization and plan its schedules. Either the whole file is applied or nothing is. Objects that the file does not mention are kept.';

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
