import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Print a link with which somebody signs in to the dashboard: once, within a day. For whom a file has brought, and ' +
  'for whom the password or the phone is gone.';

export function signInLinkCommand(session: Session): Command {
  return createCommand('sign-in-link', DESCRIPTION, [
    'sign-in-link ada@example.com',
    'sign-in-link ada@example.com --organization Acme',
  ])
    .argument('<email>', 'whose link it is')
    .option('--organization <name>', 'where several organizations have somebody with this email')
    .action(async (email: string, { organization }: { organization?: string }) => {
      const { printSignInLink } = await import('../local/create-sign-in-link.ts');
      await printSignInLink(session, email, organization ?? null);
    });
}
