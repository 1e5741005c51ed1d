import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../session.ts';
import { ASK_AGAIN_MS, createRemote, Passing, type Remote } from './client.ts';
import { type RequestStatus, requestStatusPathFor, statusText } from './request-status.ts';
import { createSilence } from './silence.ts';

/** The longest time that the server delays its response, and some time for the network. */
const WAIT_SECONDS = 30;
const WAIT_TIMEOUT_MS = 45_000;

/** Prints the outcome of a request, with `wait` after it has finished. Returns its state. */
export async function showRequest(
  session: Session,
  id: string,
  wait: boolean,
): Promise<RequestStatus['response']['status']> {
  const remote = await createRemote(session);
  const status = wait ? await untilFinished(session, remote, id) : await ask(remote, id);
  session.output.result(statusText(status), status);
  return status.response.status;
}

async function ask(remote: Remote, id: string, waitSeconds?: number): Promise<RequestStatus> {
  const options = waitSeconds === undefined ? {} : { timeoutMs: WAIT_TIMEOUT_MS };
  return (await remote.get(requestStatusPathFor(id, waitSeconds), options)) as unknown as RequestStatus;
}

async function untilFinished(
  { progress, signal }: Session,
  remote: Remote,
  id: string,
): Promise<RequestStatus> {
  const silence = createSilence();
  for (;;) {
    const asked = performance.now();
    try {
      const status = await ask(remote, id, WAIT_SECONDS);
      if (status.response.finished_at !== null) return status;
      silence.answered();
    } catch (error) {
      if (!(error instanceof Passing) || silence.isTooLong(asked)) throw error;
      progress.step(`${error.message} Trying again …`);
      await delay(ASK_AGAIN_MS, undefined, { signal });
    }
  }
}
