import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Put a backup into the database: all of it, or nothing is changed. Pages that were open go on as soon as a server runs.';

export function restoreCommand(session: Session): Command {
  return createCommand('restore', DESCRIPTION, [
    'restore tocsin.backup',
    'restore tocsin.backup --passphrase-file /etc/tocsin/passphrase',
    'restore tocsin.backup --replace',
  ])
    .argument('<file>', 'written by tocsin backup, of this version or an earlier one')
    .option('--replace', 'throw away what is in the database now')
    .option('--passphrase-file <file>', 'open the keys that the backup holds, and put them into DATA_DIR')
    .action(
      async (file: string, { replace = false, ...rest }: { replace?: boolean; passphraseFile?: string }) => {
        const { restore } = await import('../local/restore.ts');
        await restore(session, file, { replace, ...rest });
      },
    );
}
