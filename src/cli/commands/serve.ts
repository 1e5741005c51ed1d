import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../../config/role.ts';
import type { Config } from '../../config.ts';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

export function serveCommand({ env, output, progress }: Session): Command {
  return createCommand('serve', 'Run the server until SIGTERM or Ctrl-C.', [
    'serve',
    'serve --role worker',
    'serve --role api',
    'serve --demo',
  ])
    .addOption(
      new Option('--role <role>', 'what this process does: everything, answering requests, or sending')
        .choices([...ROLES])
        .default('all'),
    )
    .option(
      '--demo',
      'fill an empty installation with example data for every screen; nothing is sent anywhere',
    )
    .action(async ({ role, demo = false }: { role: Role; demo?: boolean }) => {
      const { readConfig } = await import('../../config.ts');
      const read = readConfig(env, role);
      const config = demo ? withoutProviders(read) : read;
      // From here on, the server reports its progress in its log.
      progress.end();
      const { createLog } = await import('../../kit/log.ts');
      const { serve } = await import('../../serve.ts');
      const { explainStart } = await import('../explain-start.ts');
      const log = createLog(config.logLevel);
      const prepare = demo
        ? (await import('../../../demo/prepare.ts')).prepareDemo(config, (sentence) => log.info(sentence))
        : undefined;
      await serve(config, log, output.note, prepare).catch((error: unknown) => {
        throw explainStart(config, error);
      });
    });
}

/** The demo sends nothing, even if providers are set up. */
function withoutProviders(config: Readonly<Config>): Readonly<Config> {
  return { ...config, smtp: null, twilio: null, slack: null, mute: true };
}
