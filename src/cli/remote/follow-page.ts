import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';
import { ASK_AGAIN_MS, Passing, type Remote } from './client.ts';
import { deliverySentence, type RequestStatus, requestStatusPathFor, stateText } from './request-status.ts';
import { createSilence } from './silence.ts';

/**
 * Watches a page until somebody acknowledges it, and prints who is notified. Returns its last status.
 * @throws Refusal when the page expired or nobody could be reached
 */
export async function followPage(
  remote: Remote,
  requestId: string,
  report: (sentence: string) => void,
  signal: AbortSignal,
): Promise<RequestStatus> {
  const reported = new Set<string>();
  const silence = createSilence();
  for (;;) {
    const asked = performance.now();
    const status = await ask(remote, requestId);
    if (status) {
      silence.answered();
      reportEvents(status, reported, report);
      if (isOver(status, report)) return status;
    } else {
      if (!silence.lasts) report(`${remote.url} does not answer; the page continues, trying again …`);
      if (silence.isTooLong(asked))
        throw new Refusal(
          `${remote.url} has not answered for two minutes; check later with: tocsin request ${requestId}`,
        );
    }
    await delay(ASK_AGAIN_MS, undefined, { signal });
  }
}

async function ask(remote: Remote, requestId: string): Promise<RequestStatus | null> {
  try {
    return (await remote.get(requestStatusPathFor(requestId))) as unknown as RequestStatus;
  } catch (error) {
    if (error instanceof Passing) return null;
    throw error;
  }
}

function reportEvents(
  status: RequestStatus,
  reported: Set<string>,
  report: (sentence: string) => void,
): void {
  for (const delivery of status.response.page?.deliveries ?? []) {
    const sentence = deliverySentence(delivery);
    // A receipt changes `accepted` to `delivered`, which is not worth another line.
    const event = `${delivery.id} ${delivery.state === 'delivered' ? 'accepted' : delivery.state}`;
    if (sentence === null || reported.has(event)) continue;
    reported.add(event);
    report(sentence);
  }
}

function isOver(
  { service_request_id, response }: RequestStatus,
  report: (sentence: string) => void,
): boolean {
  const { page, status, message } = response;
  if (page?.state === 'acknowledged' || page?.state === 'resolved') {
    const text = stateText(page);
    report(text.charAt(0).toUpperCase() + text.slice(1));
    return true;
  }
  if (status === 'failed')
    throw new Refusal(`The page failed: ${message}`, { details: [{ service_request_id }] });
  if (page?.state === 'expired')
    throw new Refusal('Nobody acknowledged the page before it expired.', {
      details: [{ service_request_id }],
    });
  return false;
}
