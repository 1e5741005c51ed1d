import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

export function requestCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('request', 'Show the outcome of a request (needs a running server).', [
    'request request_01hzy4q2kqe1tbf6w3f2m9n0xy',
    'request request_01hzy4q2kqe1tbf6w3f2m9n0xy --wait',
  ])
    .argument('<id>', 'the service_request_id')
    .option('--wait', 'wait until it has finished; exits with 1 if it failed')
    .action(async (id: string, { wait = false }: { wait?: boolean }) => {
      const { showRequest } = await import('../remote/show-request.ts');
      const status = await showRequest(session, id, wait);
      if (wait && status === 'failed') exit(1);
    });
}
