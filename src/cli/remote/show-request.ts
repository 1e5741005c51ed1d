import type { Session } from '../session.ts';
import { createRemote, Passing, type Remote } from './client.ts';
import { type RequestStatus, requestStatusPathFor, statusText } from './request-status.ts';

/** The longest time that the server delays its response, and some time for the network. */
const WAIT_SECONDS = 30;
const WAIT_TIMEOUT_MS = 45_000;
const PATIENCE = 4;

/** Prints the outcome of a request, with `wait` after it has finished. Returns its state. */
export async function showRequest(
  session: Session,
  id: string,
  wait: boolean,
): Promise<RequestStatus['response']['status']> {
  const remote = await createRemote(session);
  const status = wait ? await untilFinished(remote, id) : await ask(remote, id);
  session.output.result(statusText(status), status);
  return status.response.status;
}

async function ask(remote: Remote, id: string, waitSeconds?: number): Promise<RequestStatus> {
  const options = waitSeconds === undefined ? {} : { timeoutMs: WAIT_TIMEOUT_MS };
  return (await remote.get(requestStatusPathFor(id, waitSeconds), options)) as unknown as RequestStatus;
}

async function untilFinished(remote: Remote, id: string): Promise<RequestStatus> {
  for (let failures = 0; ; ) {
    try {
      const status = await ask(remote, id, WAIT_SECONDS);
      if (status.response.finished_at !== null) return status;
      failures = 0;
    } catch (error) {
      if (!(error instanceof Passing) || ++failures > PATIENCE) throw error;
    }
  }
}
