import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { SignInLinkOptions } from '../local/create-sign-in-link.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Print a link that signs a person in to the dashboard. It works once, within a day. Use it for people who were added by a file or lost their password or phone.';

export function signInLinkCommand(session: Session): Command {
  return createCommand('sign-in-link', DESCRIPTION, [
    'sign-in-link ada@example.com',
    'sign-in-link ada@example.com --organization Acme',
    'sign-in-link ada@example.com --without-second-factor',
  ])
    .argument('<email>', 'the email address of the person')
    .option(
      '--organization <name>',
      'required only if several organizations have somebody with this email address',
    )
    .option('--without-second-factor', 'skip the code or passkey, for a person who has lost both')
    .action(async (email: string, options: SignInLinkOptions) => {
      const { printSignInLink } = await import('../local/create-sign-in-link.ts');
      await printSignInLink(session, email, options);
    });
}
