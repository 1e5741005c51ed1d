import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Check the database, the queues, the clock, the providers, and whether everybody on call can be reached, and show how to fix each problem. Exits with 1 if a page could be lost.';

export function doctorCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('doctor', DESCRIPTION, ['doctor', 'doctor --json']).action(async () => {
    const { diagnose } = await import('../local/diagnose.ts');
    if (!(await diagnose(session))) exit(1);
  });
}
