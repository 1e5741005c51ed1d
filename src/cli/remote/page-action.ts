import { isId } from '../../kit/typeid.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { createRemote, type Remote } from './client.ts';
import { type RequestStatus, requestStatusPathFor } from './request-status.ts';

/**
 * Acts on `page`, which is its id or that of the request that raised it. It tries once, because after a lost answer a
 * second attempt could escalate or comment twice.
 */
export async function actOnPage(
  session: Session,
  page: string,
  action: string,
  body: Record<string, unknown>,
): Promise<void> {
  const remote = await createRemote(session);
  const id = await pageIdOf(remote, page);
  const answer = await remote.postOnce(`/api/pages/${encodeURIComponent(id)}/${action}`, body);
  session.output.result(String(answer.message), answer);
}

async function pageIdOf(remote: Remote, given: string): Promise<string> {
  if (!isId('request', given)) return given;
  const { response } = (await remote.get(requestStatusPathFor(given))) as unknown as RequestStatus;
  const ids = [response.page?.id, ...(response.pages ?? []).map(({ id }) => id)].filter((id) => id != null);
  const [first, ...others] = new Set(ids);
  if (others.length > 0)
    throw new Refusal(
      `The request ${given} concerns ${others.length + 1} pages; give the id of one of them.`,
    );
  if (first) return first;
  throw new Refusal(`The request ${given} has not raised a page yet; check it with: tocsin request ${given}`);
}
