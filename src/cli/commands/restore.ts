import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import { UNVERIFIED_OPTION } from '../local/unverified.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Restore a backup: all of it or nothing. Pages that were open continue as soon as a server runs.';

type RestoreOptions = {
  replace?: boolean;
  passphraseFile?: string;
  dangerouslySkipVerification?: boolean;
};

export function restoreCommand(session: Session): Command {
  return createCommand('restore', DESCRIPTION, [
    'restore tocsin.backup',
    'restore tocsin.backup --passphrase-file /etc/tocsin/passphrase',
    'restore tocsin.backup --replace',
  ])
    .argument('<file>', 'written by tocsin backup, of this version or an earlier one')
    .option('--replace', 'discard what the database contains now')
    .option('--passphrase-file <file>', 'decrypt the keys in the backup, and put them into DATA_DIR')
    .option(
      UNVERIFIED_OPTION,
      'trust a backup whose secret key is lost, or that an older release wrote without authentication: anyone who could write or ' +
        'change the file decides who is an owner here',
    )
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('../local/restore.ts');
      const { replace = false, passphraseFile, dangerouslySkipVerification: unverified = false } = options;
      await restore(session, file, { replace, unverified, ...(passphraseFile && { passphraseFile }) });
    });
}
