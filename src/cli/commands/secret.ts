import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const ROTATE =
  'Seal everything with a new secret key, for when the old one leaked or somebody who knew it left. No server may run. ' +
  'Everybody signs in again.';
const FORGET =
  'For when the secret key is lost: list what only that key could open, and with --clear give it up, so that it can be ' +
  'entered again. No server may run.';

export function secretCommand(session: Session): Command {
  const rotate = createCommand('rotate', ROTATE, [
    'secret rotate',
    'secret rotate --new-key-file /etc/tocsin/secret.key.new',
  ])
    .option('--new-key-file <file>', 'where SECRET_KEY is set: holds the new key, or is made with one')
    .action(async ({ newKeyFile }: { newKeyFile?: string }) => {
      const { rotateSecret } = await import('../local/secret.ts');
      await rotateSecret(session, newKeyFile ?? null);
    });
  const forget = createCommand('forget', FORGET, ['secret forget', 'secret forget --clear'])
    .option('--clear', 'give up what is listed, and go on with the key that is there, or with a new one')
    .action(async ({ clear = false }: { clear?: boolean }) => {
      const { forgetSecrets } = await import('../local/secret.ts');
      await forgetSecrets(session, clear);
    });
  return createCommand('secret', 'Exchange the secret key, or live without a lost one.')
    .addCommand(rotate)
    .addCommand(forget);
}
