import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { SignInLinkOptions } from '../local/create-sign-in-link.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Print a link with which somebody signs in to the dashboard: once, within a day. For whom a file has brought, and ' +
  'for whom the password or the phone is gone.';

export function signInLinkCommand(session: Session): Command {
  return createCommand('sign-in-link', DESCRIPTION, [
    'sign-in-link ada@example.com',
    'sign-in-link ada@example.com --organization Acme',
    'sign-in-link ada@example.com --without-second-factor',
  ])
    .argument('<email>', 'whose link it is')
    .option('--organization <name>', 'where several organizations have somebody with this email')
    .option('--without-second-factor', 'asks for neither code nor passkey, for whom both are gone')
    .action(async (email: string, options: SignInLinkOptions) => {
      const { printSignInLink } = await import('../local/create-sign-in-link.ts');
      await printSignInLink(session, email, options);
    });
}
