import { randomUUID } from 'node:crypto';
import { text as readStream } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { URGENCIES } from '../../people/contract.ts';
import { createCommand } from '../command.ts';
import { createRemote } from '../remote/client.ts';
import { followPage } from '../remote/follow-page.ts';
import type { Session } from '../session.ts';
import { pageActions } from './page-actions.ts';

type Options = { title: string; text: string; urgency?: string; sourceUrl?: string; wait?: boolean };

export function pageCommand(session: Session): Command {
  const team = pageOptions(
    createCommand('team', 'Page the people of a team who are on call now.', [
      'page team sre --title "Disk full" --text "db1 has 2 % left"',
      'page team sre --title "Disk full" --text "db1 has 2 % left" --urgency high --wait',
      'df -h | tocsin page team sre --title "Disk full" --text -',
    ]).argument('<slug>', 'the team'),
  ).action((slug: string, options: Options) => page(session, '/page/team', slug, options));
  const person = pageOptions(
    createCommand('person', 'Page one person, whatever the rotations say.', [
      'page person ada@example.com --title "Please call" --text "The customer waits."',
    ]).argument('<email>', 'the person'),
  ).action((email: string, options: Options) => page(session, '/page/person', email, options));
  const command = createCommand('page', 'Page a team or a person, or act on a page (asks the server).')
    .addCommand(team)
    .addCommand(person);
  for (const action of pageActions(session)) command.addCommand(action);
  return command;
}

function pageOptions(command: Command): Command {
  return command
    .requiredOption('--title <title>', 'short summary of the reason')
    .requiredOption('--text <text>', 'what is needed to address it; - reads it from standard input')
    .addOption(
      new Option('--urgency <urgency>', 'low, medium (default for teams) or high (default for persons)')
        .choices([...URGENCIES])
        .argParser(urgencyOption),
    )
    .option('--source-url <url>', 'shown to the person for more information')
    .option('--wait', 'follow the page until someone acknowledges; exit code 1 if nobody does');
}

/** Accepts any case, like the API. */
function urgencyOption(text: string): string {
  const urgency = URGENCIES.find((known) => known === text.toLowerCase());
  if (urgency) return urgency;
  throw new InvalidArgumentError(`Allowed choices are ${URGENCIES.join(', ')}.`);
}

async function page(session: Session, path: string, recipient: string, options: Options): Promise<void> {
  const { output, signal, progress } = session;
  const remote = createRemote(session);
  const text = options.text === '-' ? await readStream(process.stdin) : options.text;
  const body = {
    recipient,
    title: options.title,
    text,
    urgency: options.urgency,
    source_url: options.sourceUrl,
  };
  const answer = await remote.post(path, body, randomUUID());
  const id = String(answer.service_request_id);
  for (const warning of (answer.warnings ?? []) as string[]) output.note(warning);
  if (!options.wait) return output.result(id, answer);
  progress.end();
  if (output.json) output.note(`The page is on its way: ${id}`);
  else output.result(id, null);
  const status = await followPage(remote, id, output.note, signal);
  if (output.json) output.result('', status);
}
