import { type Command, InvalidArgumentError, Option } from 'commander';
import { URGENCIES } from '../../pages/urgency-names-contract.ts';
import { createCommand } from '../command.ts';
import type { PageOptions } from '../remote/raise-page.ts';
import type { Session } from '../session.ts';
import { pageActions } from './page-actions.ts';

export function pageCommand(session: Session): Command {
  const team = pageOptions(
    createCommand('team', 'Page the people of a team who are on call now.', [
      'page team sre --title "Disk full" --text "db1 has 2 % left"',
      'page team sre --title "Disk full" --text "db1 has 2 % left" --urgency high --wait',
      'df -h | tocsin page team sre --title "Disk full" --text -',
    ]).argument('<slug>', 'the team'),
  ).action((slug: string, options: PageOptions) => raise(session, '/page/team', slug, options));
  const person = pageOptions(
    createCommand('person', 'Page one person, whatever the rotations say.', [
      'page person ada@example.com --title "Please call" --text "The customer waits."',
    ]).argument('<email>', 'the person'),
  ).action((email: string, options: PageOptions) => raise(session, '/page/person', email, options));
  const command = createCommand('page', 'Page a team or a person, or act on a page (needs a running server).')
    .addCommand(team)
    .addCommand(person);
  for (const action of pageActions(session)) command.addCommand(action);
  return command;
}

function pageOptions(command: Command): Command {
  return command
    .requiredOption('--title <title>', 'a short summary')
    .requiredOption('--text <text>', 'what responders need to know; - reads it from standard input')
    .addOption(
      new Option('--urgency <urgency>', 'low, medium (default for teams) or high (default for people)')
        .choices([...URGENCIES])
        .argParser(urgencyOption),
    )
    .option('--source-url <url>', 'a link for the people who are notified')
    .option('--wait', 'follow the page until somebody acknowledges it; exits with 1 if nobody does');
}

/** Accepts any case, like the API. */
function urgencyOption(text: string): string {
  const urgency = URGENCIES.find((known) => known === text.toLowerCase());
  if (urgency) return urgency;
  throw new InvalidArgumentError(`Allowed choices are ${URGENCIES.join(', ')}.`);
}

async function raise(session: Session, path: string, recipient: string, options: PageOptions): Promise<void> {
  const { raisePage } = await import('../remote/raise-page.ts');
  await raisePage(session, path, recipient, options);
}
