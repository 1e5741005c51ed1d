import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const ROTATE =
  'Encrypt everything again with a new secret key, after the old one leaked or a person who knew it left. Stop all servers first. ' +
  'Everybody has to sign in again.';
const FORGET =
  'If the secret key is lost, list the values that cannot be decrypted without it. With --clear, delete them, so that you can enter them ' +
  'again. Stop all servers first.';

export function secretCommand(session: Session): Command {
  const rotate = createCommand('rotate', ROTATE, [
    'secret rotate',
    'secret rotate --new-key-file /etc/tocsin/secret.key.new',
  ])
    .option(
      '--new-key-file <file>',
      'the file of the new key; created if it does not exist; required if SECRET_KEY is set',
    )
    .action(async ({ newKeyFile }: { newKeyFile?: string }) => {
      const { rotateSecret } = await import('../local/secret.ts');
      await rotateSecret(session, newKeyFile ?? null);
    });
  const forget = createCommand('forget', FORGET, ['secret forget', 'secret forget --clear'])
    .option('--clear', 'delete the listed values, and continue with the current key or a new one')
    .action(async ({ clear = false }: { clear?: boolean }) => {
      const { forgetSecrets } = await import('../local/secret.ts');
      await forgetSecrets(session, clear);
    });
  return createCommand('secret', 'Replace the secret key, or recover after it was lost.')
    .addCommand(rotate)
    .addCommand(forget);
}
