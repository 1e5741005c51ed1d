import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { BackupOptions } from '../local/backup.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Write a consistent copy of the database to one file. The server may run meanwhile. The file is compressed, has a checksum, and can be restored by every later version.';

export function backupCommand(session: Session): Command {
  return createCommand('backup', DESCRIPTION, [
    'backup tocsin.backup',
    'backup /backups/$(date +%F).tocsin --passphrase-file /etc/tocsin/passphrase',
  ])
    .argument('<file>', 'file to write; an existing one is replaced once the new one is complete')
    .option(
      '--passphrase-file <file>',
      'include the secret key and the push keys, encrypted with this passphrase',
    )
    .action(async (file: string, options: BackupOptions) => {
      const { backup } = await import('../local/backup.ts');
      await backup(session, file, options);
    });
}
