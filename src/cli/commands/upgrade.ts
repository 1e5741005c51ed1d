import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Check whether this release can upgrade the database of an older one, and show what its first start will do. Changes nothing, and exits with 1 if it cannot. The first start of the release upgrades the database; there is no other command to run.';

export function upgradeCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('upgrade', DESCRIPTION, ['upgrade --check', 'upgrade --check --json'])
    .requiredOption('--check', 'only check; this command does nothing else')
    .action(async () => {
      const { checkUpgrade } = await import('../local/upgrade.ts');
      if (!(await checkUpgrade(session))) exit(1);
    });
}
