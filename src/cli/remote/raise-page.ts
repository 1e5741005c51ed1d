import { randomUUID } from 'node:crypto';
import { text as readStream } from 'node:stream/consumers';
import type { Session } from '../session.ts';
import { createRemote } from './client.ts';

export type PageOptions = {
  title: string;
  /** `-`: standard input. */
  text: string;
  urgency?: string;
  sourceUrl?: string;
  wait?: boolean;
};

/** Pages `recipient`, a team or a person by `path`, and prints the id of the request; with `wait`, follows the page. */
export async function raisePage(
  session: Session,
  path: string,
  recipient: string,
  options: PageOptions,
): Promise<void> {
  const { output, signal, progress } = session;
  const remote = await createRemote(session);
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
  const { followPage } = await import('./follow-page.ts');
  const status = await followPage(remote, id, output.note, signal);
  if (output.json) output.result('', status);
}
