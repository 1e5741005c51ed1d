import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';
import { Passing, type Remote } from './client.ts';
import { deliverySentence, type RequestStatus, requestStatusPathFor } from './request-status.ts';

const POLL_MS = 1_000;
/** How long the server may be unreachable, for example while it restarts. */
const MAX_SILENCE_MS = 120_000;

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
  let silentMs = 0;
  for (;;) {
    const status = await ask(remote, requestId);
    if (status) {
      silentMs = 0;
      reportEvents(status, reported, report);
      if (isOver(status, report)) return status;
    } else {
      silentMs += POLL_MS;
      if (silentMs === POLL_MS) report(`${remote.url} does not answer; the page continues, trying again …`);
      if (silentMs > MAX_SILENCE_MS)
        throw new Refusal(
          `${remote.url} has not answered for two minutes; check later with: tocsin request ${requestId}`,
        );
    }
    await delay(POLL_MS, undefined, { signal });
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
    const by = page.acknowledged_by ? ` by ${page.acknowledged_by.name} at ${page.acknowledged_at}` : '';
    report(`${page.state === 'acknowledged' ? 'Acknowledged' : 'Resolved'}${by}`);
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
