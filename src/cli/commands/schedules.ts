import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

export function schedulesCommand(session: Session): Command {
  return createCommand('schedules', 'List the schedules of the organization (needs a running server).', [
    'schedules',
    'schedules --json',
  ]).action(async () => {
    const { createRemote } = await import('../remote/client.ts');
    const { listSchedules } = await import('../remote/schedules.ts');
    const schedules = await listSchedules(await createRemote(session), null);
    const rows = schedules.map(({ id, name, enabled, backstop }) => [
      name,
      enabled ? 'enabled' : 'disabled',
      backstop ? `backstop ${backstop.email}` : 'no backstop',
      id,
    ]);
    if (rows.length === 0)
      session.output.note('There are no schedules; describe some in a file and run: tocsin apply FILE');
    session.output.result(table(rows), schedules);
  });
}
