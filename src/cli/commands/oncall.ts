import type { Command } from 'commander';
import { createCommand, instantOption } from '../command.ts';
import type { Session } from '../session.ts';

export function oncallCommand(session: Session): Command {
  const command = createCommand('oncall', 'Show who is on call in a schedule (needs a running server).', [
    'oncall SRE',
    'oncall SRE --at 2026-12-24T18:00:00+01:00',
    'oncall SRE --why',
    'oncall schedule_01hzy4q2kqe1tbf6w3f2m9n0xy --json',
    'oncall --saved',
  ]);
  return command
    .argument('[schedule]', 'name or id of the schedule; may be left out with --saved')
    .option('--at <time>', 'an ISO 8601 date and time; the default is now', instantOption)
    .addOption(
      command
        .createOption('--why', 'also show why each person has the shift, and why others do not')
        .conflicts('saved'),
    )
    .option(
      '--saved',
      'read the list that the server saved in DATA_DIR, without the server and the database; this is also the fallback when the server cannot answer',
    )
    .action(
      async (
        schedule: string | undefined,
        {
          at = Temporal.Now.instant(),
          saved = false,
          why = false,
        }: { at?: Temporal.Instant; saved?: boolean; why?: boolean },
      ) => {
        if (why) {
          const { printWhy } = await import('../remote/why.ts');
          await printWhy(session, schedule ?? null, at);
          return;
        }
        const { printOnCall } = await import('../remote/on-call.ts');
        await printOnCall(session, schedule ?? null, at, saved);
      },
    );
}
