import { type Command, Option } from 'commander';
import { ROLES, type Role, readConfig } from '../../config.ts';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

export function serveCommand({ env, progress }: Session): Command {
  return createCommand('serve', 'Run the server until SIGTERM or Ctrl-C.', [
    'serve',
    'serve --role worker',
    'serve --role api',
  ])
    .addOption(
      new Option('--role <role>', 'what this process does: everything, answering requests, or sending')
        .choices([...ROLES])
        .default('all'),
    )
    .action(async ({ role }: { role: Role }) => {
      const config = readConfig(env, role);
      // The server says what it does in its log.
      progress.end();
      const { createLog } = await import('../../kit/log.ts');
      const { serve } = await import('../../serve.ts');
      const { explainStart } = await import('../explain-start.ts');
      await serve(config, createLog(config.logLevel)).catch((error: unknown) => {
        throw explainStart(config, error);
      });
    });
}
