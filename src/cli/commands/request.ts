import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import { createRemote, Passing, type Remote } from '../remote/client.ts';
import { type RequestStatus, requestStatusPathFor, statusText } from '../remote/request-status.ts';
import type { Session } from '../session.ts';

/** The longest time that the server delays its response, and some time for the network. */
const WAIT_SECONDS = 30;
const WAIT_TIMEOUT_MS = 45_000;
const PATIENCE = 4;

export function requestCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('request', 'Tell what came of a request (asks the server).', [
    'request request_01hzy4q2kqe1tbf6w3f2m9n0xy',
    'request request_01hzy4q2kqe1tbf6w3f2m9n0xy --wait',
  ])
    .argument('<id>', 'the service_request_id')
    .option('--wait', 'until it has finished; exit code 1 if it failed')
    .action(async (id: string, { wait }: { wait?: boolean }) => {
      const remote = createRemote(session);
      const status = wait ? await untilFinished(remote, id) : await ask(remote, id);
      session.output.result(statusText(status), status);
      if (wait && status.response.status === 'failed') exit(1);
    });
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
