import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Session } from '../session.ts';

const DESCRIPTION =
  'Check database, queue, clock, providers and that everybody on call can be reached, and say what to fix. ' +
  'Exit code 1 when a page could be lost.';

export function doctorCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand('doctor', DESCRIPTION, ['doctor', 'doctor --json']).action(async () => {
    const { diagnose } = await import('../local/diagnose.ts');
    if (!(await diagnose(session))) exit(1);
  });
}
