import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import { table } from '../output.ts';
import { createRemote } from '../remote/client.ts';
import { listSchedules } from '../remote/schedules.ts';
import type { Session } from '../session.ts';

export function schedulesCommand(session: Session): Command {
  return createCommand('schedules', 'List the schedules of the organization (asks the server).', [
    'schedules',
    'schedules --json',
  ]).action(async () => {
    const schedules = await listSchedules(createRemote(session), null);
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
