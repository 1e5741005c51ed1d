import { text as readStream } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createCommand, minutesOption } from '../command.ts';
import type { Session } from '../session.ts';

const PAGE = 'page_01hzy4q2kqe1tbf6w3f2m9n0xy';

/** Actions on a page: those of the dashboard, as the person of the API key. */
export function pageActions(session: Session): Command[] {
  return [
    simple(session, 'acknowledge', 'Acknowledge a page: nobody else is notified.'),
    simple(session, 'unacknowledge', 'Take an acknowledgement back: the people on call now are notified.'),
    simple(session, 'resolve', 'Resolve a page, or mark an expired one as handled.'),
    simple(session, 'reopen', 'Reopen a resolved or expired page: the people on call now are notified.'),
    simple(session, 'escalate', 'Notify the next people now.'),
    snooze(session),
    extend(session),
    comment(session),
    add(session),
    reassign(session),
  ];
}

function actionCommand(name: string, description: string, examples: readonly string[]): Command {
  return createCommand(name, `${description} Needs an API key with full access.`, examples).argument(
    '<page>',
    'the id of a page, or of the request that raised it',
  );
}

function simple(session: Session, name: string, description: string): Command {
  return actionCommand(name, description, [`page ${name} ${PAGE}`]).action((page: string) =>
    act(session, page, name, {}),
  );
}

function snooze(session: Session): Command {
  return actionCommand(
    'snooze',
    'Snooze an acknowledged page: afterwards, the person who acknowledged it is notified again.',
    [`page snooze ${PAGE} --for 2h`],
  )
    .requiredOption('--for <time>', 'how long, such as 45m, 2h, 1d12h; at most 7d', minutesOption)
    .action((page: string, { for: minutes }: { for: number }) => act(session, page, 'snooze', { minutes }));
}

function extend(session: Session): Command {
  return actionCommand('extend', 'Let an acknowledgement last longer.', [
    `page extend ${PAGE}`,
    `page extend ${PAGE} --for 4h`,
  ])
    .option('--for <time>', 'from now; by default as long as a new acknowledgement', minutesOption)
    .action((page: string, { for: minutes }: { for?: number }) =>
      act(session, page, 'extend', minutes === undefined ? {} : { minutes }),
    );
}

function comment(session: Session): Command {
  return actionCommand('comment', 'Add a comment to the timeline of a page.', [
    `page comment ${PAGE} --text "The disk is being replaced."`,
    `df -h | tocsin page comment ${PAGE} --text -`,
  ])
    .requiredOption('--text <text>', 'the comment; - reads it from standard input')
    .action(async (page: string, { text }: { text: string }) =>
      act(session, page, 'comments', { text: text === '-' ? await readStream(process.stdin) : text }),
    );
}

function add(session: Session): Command {
  return actionCommand('add', 'Notify more people of a page.', [`page add ${PAGE} grace@example.com`])
    .argument('<emails...>', 'the people')
    .action((page: string, users: string[]) => act(session, page, 'responders', { users }));
}

function reassign(session: Session): Command {
  return actionCommand('reassign', 'Give a page to other people, or to another team.', [
    `page reassign ${PAGE} grace@example.com`,
    `page reassign ${PAGE} --team database`,
  ])
    .argument('[emails...]', 'the people')
    .option('--team <slug>', 'the team')
    .action((page: string, users: string[], { team }: { team?: string }) =>
      act(session, page, 'reassign', { ...(users.length > 0 ? { users } : {}), team }),
    );
}

async function act(
  session: Session,
  page: string,
  action: string,
  body: Record<string, unknown>,
): Promise<void> {
  const { actOnPage } = await import('../remote/page-action.ts');
  await actOnPage(session, page, action, body);
}
