import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { BackupOptions } from '../local/backup.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Write everything in the database into one file, as it is at one instant; the server may run. Compressed, with a ' +
  'checksum, readable by every later version.';

export function backupCommand(session: Session): Command {
  return createCommand('backup', DESCRIPTION, [
    'backup tocsin.backup',
    'backup /backups/$(date +%F).tocsin --passphrase-file /etc/tocsin/passphrase',
  ])
    .argument('<file>', 'where to; replaced when it is there, once the new one is complete')
    .option('--passphrase-file <file>', 'seal the secret key and the push keys into it with this passphrase')
    .action(async (file: string, options: BackupOptions) => {
      const { backup } = await import('../local/backup.ts');
      await backup(session, file, options);
    });
}
