import type { Command } from 'commander';
import { VERSION } from '../kit/version.ts';
import { createCommand, harness } from './command.ts';
import { applyCommand } from './commands/apply.ts';
import { backupCommand } from './commands/backup.ts';
import { doctorCommand } from './commands/doctor.ts';
import { keyCommand } from './commands/key.ts';
import { oncallCommand } from './commands/oncall.ts';
import { ownerCommand } from './commands/owner.ts';
import { pageCommand } from './commands/page.ts';
import { requestCommand } from './commands/request.ts';
import { restoreCommand } from './commands/restore.ts';
import { schedulesCommand } from './commands/schedules.ts';
import { secretCommand } from './commands/secret.ts';
import { serveCommand } from './commands/serve.ts';
import { signInLinkCommand } from './commands/sign-in-link.ts';
import { sourceCommand } from './commands/source.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { webhookCommand } from './commands/webhook.ts';
import { silenceCommand, windowCommand } from './commands/window.ts';
import type { Streams } from './output.ts';
import type { Session } from './session.ts';

const EXAMPLES = [
  'serve',
  'apply examples/acme.yaml --dry-run',
  'key create --user ada@example.com --name laptop',
  'page team sre --title "Disk full" --text "db1 has 2 % left" --urgency high --wait',
];

/**
 * The whole command line. `exit` gets the exit code of a command that ended without an error but was not successful.
 */
export function createProgram(session: Session, streams: Streams, exit: (code: number) => void): Command {
  const program = createCommand('tocsin', 'Self-hosted on-call management.', EXAMPLES)
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for a command')
    .helpCommand('help [command]', 'print help for a command')
    .option('--json', 'print JSON');
  program.addCommand(serveCommand(session));
  program.addCommand(applyCommand(session));
  program.addCommand(keyCommand(session));
  program.addCommand(webhookCommand(session));
  program.addCommand(sourceCommand(session));
  program.addCommand(silenceCommand(session));
  program.addCommand(windowCommand(session));
  program.addCommand(pageCommand(session));
  program.addCommand(requestCommand(session, exit));
  program.addCommand(oncallCommand(session));
  program.addCommand(schedulesCommand(session));
  program.addCommand(ownerCommand(session));
  program.addCommand(signInLinkCommand(session));
  program.addCommand(doctorCommand(session, exit));
  program.addCommand(backupCommand(session));
  program.addCommand(restoreCommand(session));
  program.addCommand(upgradeCommand(session, exit));
  program.addCommand(secretCommand(session));
  return harness(program, streams);
}
