import { type Command, InvalidArgumentError } from 'commander';
import type { WindowEffect } from '../../sources/windows-api-contract.ts';
import { createCommand, instantOption, minutesOption } from '../command.ts';
import type { NewSilenceOptions, NewWindowOptions, WhichWindow } from '../local/windows.ts';
import type { Session } from '../session.ts';

/** `tocsin silence`: matching events do not page for a time, from now on. */
export function silenceCommand(session: Session): Command {
  return scoped(
    createCommand('silence', 'Silence the sources of a team for a time, from now on.', [
      'silence --team sre --match service=db --for 2h --owner ada@example.com',
      'silence --team sre --source Prometheus --match alertname=DiskFull --match instance=~db-.* --for 90m',
    ]),
  )
    .requiredOption('--for <time>', 'how long, such as 45m, 2h, 1d12h', minutesOption)
    .option('--name <name>', 'what it is for', 'Silence')
    .action(async (options: NewSilenceOptions) => {
      const { makeSilence } = await import('../local/windows.ts');
      await makeSilence(session, options);
    });
}

export function windowCommand(session: Session): Command {
  return createCommand(
    'window',
    'Manage maintenance windows, during which the sources of a team page nobody.',
  )
    .addCommand(createSubcommand(session))
    .addCommand(listSubcommand(session))
    .addCommand(endSubcommand(session));
}

function createSubcommand(session: Session): Command {
  return scoped(
    createCommand('create', 'Make a maintenance window, and print its id alone on stdout.', [
      'window create --team sre --name "New switches" --from 2026-12-01T22:00:00+01:00 --for 3h',
      'window create --team sre --name Backups --for 1h --from 2026-12-01T02:00:00+01:00 --rrule "FREQ=WEEKLY;BYDAY=SU" --zone Europe/Berlin',
    ]),
  )
    .requiredOption('--name <name>', 'what it is for, unique in the team')
    .option('--from <time>', 'when it begins; now by default', instantOption)
    .option('--to <time>', 'when it ends; required unless --for is given', instantOption)
    .option('--for <time>', 'how long it lasts, such as 45m, 2h, 1d12h', minutesOption)
    .option('--rrule <rule>', 'how it repeats: FREQ=DAILY, WEEKLY or MONTHLY, as in RFC 5545')
    .option('--zone <zone>', 'the time zone of --rrule, such as Europe/Berlin')
    .option('--until <time>', 'when it stops repeating', instantOption)
    .action(async (options: NewWindowOptions) => {
      const { makeWindow } = await import('../local/windows.ts');
      await makeWindow(session, options);
    });
}

function listSubcommand(session: Session): Command {
  return createCommand('list', 'List active and upcoming windows and silences.', ['window list --team sre'])
    .option('--team <slug>', 'only those of this team')
    .option('--organization <name>', 'only those of this organization')
    .action(async (options: WhichWindow) => {
      const { printWindows } = await import('../local/windows.ts');
      await printWindows(session, options);
    });
}

function endSubcommand(session: Session): Command {
  return createCommand('end', 'End a window or a silence now; its events that are still open page now.', [
    'window end window_01hzy4q2kqe1tbf6w3f2m9n0xy',
    'window end Backups --team sre',
  ])
    .argument('<window>', 'its id or name')
    .option('--team <slug>', 'its team, if several teams have a window of that name')
    .option('--organization <name>', 'its organization, if there are several')
    .action(async (window: string, options: WhichWindow) => {
      const { stopWindow } = await import('../local/windows.ts');
      await stopWindow(session, window, options);
    });
}

/** Adds the options that choose the events of a window. */
function scoped(command: Command): Command {
  return command
    .requiredOption('--team <slug>', 'the team whose sources it applies to')
    .option('--source <name>', 'only this source of the team; its id or name')
    .option(
      '--match <matcher>',
      'only events that match: key=value, key!=value or key=~regex; may be repeated, then all must match',
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option(
      '--effect <effect>',
      'hold: events that are still open at the end page then; record: events are only recorded',
      effectOption,
      'hold',
    )
    .option('--owner <email>', 'the person who is responsible for it')
    .option('--organization <name>', 'required only if several organizations have a team of that name');
}

function effectOption(text: string): WindowEffect {
  if (text === 'hold' || text === 'record') return text;
  throw new InvalidArgumentError('Give hold or record.');
}
