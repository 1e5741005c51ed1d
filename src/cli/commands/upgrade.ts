import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Check whether this release can take over the database of an older one, and say what its first start will do. Changes ' +
  'nothing. Exit code 1 when it cannot. There is nothing else to run: the first start upgrades the database.';

export function upgradeCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('upgrade', DESCRIPTION, ['upgrade --check', 'upgrade --check --json'])
    .requiredOption('--check', 'check only, which is all that this command can do')
    .action(async () => {
      const { checkUpgrade } = await import('../local/upgrade.ts');
      if (!(await checkUpgrade(session))) exit(1);
    });
}
