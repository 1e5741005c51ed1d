import { type Command, InvalidArgumentError } from 'commander';
import { createCommand, instantOption, jsonOption, SECRET_HINT, secretOption } from '../command.ts';
import type { NewSourceOptions, RotationOptions, Which } from '../local/sources.ts';
import type { TryOptions } from '../local/try-source.ts';
import type { Session } from '../session.ts';

type Owner = Omit<Which, 'source'>;

export function sourceCommand(session: Session): Command {
  return createCommand('source', 'Manage page sources, through which monitoring systems page.')
    .addCommand(createSubcommand(session))
    .addCommand(listSubcommand(session))
    .addCommand(showSubcommand(session))
    .addCommand(trySubcommand(session))
    .addCommand(rotateSubcommand(session))
    .addCommand(revokeSubcommand(session));
}

function createSubcommand(session: Session): Command {
  return createCommand(
    'create',
    'Create a page source, and print only its URL or, for APIs of other products, its key.',
    [
      'source create --team sre --name Prometheus --type alertmanager',
      'source create --team sre --name "Old PagerDuty" --type pagerduty-events --key 0123456789abcdef0123456789abcdef',
      'source create --team sre --name Backup --type heartbeat --interval 1440',
      `source create --team sre --name Grafana --type grafana --settings '{"wait_minutes": 2}'`,
    ],
  )
    .requiredOption('--team <slug>', 'the team that it pages')
    .requiredOption('--name <name>', 'label, unique among the sources of the team')
    .requiredOption(
      '--type <type>',
      'custom, the name of an integration, pagerduty-events, opsgenie-api, grafana-oncall, goalert, victorops or heartbeat',
    )
    .option(
      '--key <key>',
      `a key of the old system, which its senders then keep; ${SECRET_HINT}`,
      secretOption,
    )
    .option('--expires <time>', 'when it stops accepting calls', instantOption)
    .option(
      '--signing-secret <secret>',
      `the secret with which the sender signs its calls, if its type supports that; ${SECRET_HINT}`,
      secretOption,
    )
    .option('--interval <minutes>', 'how often a heartbeat has to call', minutesOption)
    .option('--settings <json>', 'urgencies, rules, hours and more, as in docs/sources.md', jsonOption)
    .option('--organization <name>', 'required only if several organizations have a team of that name')
    .action(async (options: NewSourceOptions) => {
      const { makeSource } = await import('../local/sources.ts');
      await makeSource(session, options);
    });
}

function listSubcommand(session: Session): Command {
  return createCommand('list', 'List the sources of all teams, or of one.', ['source list --team sre'])
    .option('--team <slug>', 'only those of this team')
    .option('--organization <name>', 'only those of this organization')
    .action(async (options: Owner) => {
      const { printSources } = await import('../local/sources.ts');
      await printSources(session, options);
    });
}

function showSubcommand(session: Session): Command {
  return naming(
    createCommand('show', 'Show a source with its URL.', [
      'source show Prometheus',
      'source show source_01hzy4q2kqe1tbf6w3f2m9n0xy --json',
    ]),
  ).action(async (source: string, options: Owner) => {
    const { printSource } = await import('../local/sources.ts');
    await printSource(session, { source, ...options });
  });
}

function trySubcommand(session: Session): Command {
  return naming(
    createCommand(
      'try',
      'Show what a call of a source would do: its rule, its urgency, whom it would notify and when. Stores nothing and notifies nobody.',
      [
        'source try Prometheus --file alert.json',
        `source try Checks --settings '{"wait_minutes": 5}' < body.json`,
        'source try GitHub --file issue.json --header "X-GitHub-Event: issues"',
        'source try Prometheus --call notification_01hzy4q2kqe1tbf6w3f2m9n0xy --json',
      ],
    ),
  )
    .option('--type <type>', 'the type of the source, as at the end of its URL')
    .option('--file <path>', 'the body that a sender would send; standard input by default')
    .option('--call <id>', 'a call that the source received, instead of a body')
    .option('--header <header>', 'a header of the sender, as in curl; may be repeated', collect, [])
    .option('--settings <json>', 'settings to try instead of those of the source', jsonOption)
    .action(async (source: string, options: Owner & TryOptions) => {
      const { trySource } = await import('../local/try-source.ts');
      await trySource(session, source, options);
    });
}

function collect(one: string, others: readonly string[]): string[] {
  return [...others, one];
}

function rotateSubcommand(session: Session): Command {
  return naming(
    createCommand('rotate', 'Give a source a new URL or key, and print it alone on stdout.', [
      'source rotate Prometheus',
      'source rotate Prometheus --now',
    ]),
  )
    .option(
      '--key <key>',
      `the new key, for APIs of other products; one is made by default; ${SECRET_HINT}`,
      secretOption,
    )
    .option('--old-until <time>', 'when the old one stops working; a week from now by default', instantOption)
    .option('--now', 'end the old one at once')
    .action(async (source: string, { key, oldUntil, now, ...owner }: Owner & RotationOptions) => {
      const { renewSource } = await import('../local/sources.ts');
      const options = { key: key ?? null, now: now === true, ...(oldUntil ? { oldUntil } : {}) };
      await renewSource(session, { source, ...owner }, options);
    });
}

function revokeSubcommand(session: Session): Command {
  return naming(
    createCommand('revoke', 'End a source; its open pages stay open.', ['source revoke Prometheus']),
  ).action(async (source: string, options: Owner) => {
    const { endSource } = await import('../local/sources.ts');
    await endSource(session, { source, ...options });
  });
}

/** Adds the options that identify one source. */
function naming(command: Command): Command {
  return command
    .argument('<source>', 'its id or name')
    .option('--team <slug>', 'its team, if several teams have a source of that name')
    .option('--organization <name>', 'its organization, if there are several');
}

function minutesOption(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number of minutes.');
}
