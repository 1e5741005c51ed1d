import type { Command } from 'commander';
import { createCommand, instantOption } from '../command.ts';
import { table } from '../output.ts';
import { createRemote } from '../remote/client.ts';
import { findScheduleId, type OnCallEntry, onCallsAt } from '../remote/schedules.ts';
import type { Session } from '../session.ts';

export function oncallCommand(session: Session): Command {
  return createCommand('oncall', 'Tell who is on call in a schedule (asks the server).', [
    'oncall SRE',
    'oncall SRE --at 2026-12-24T18:00:00+01:00',
    'oncall schedule_01hzy4q2kqe1tbf6w3f2m9n0xy --json',
  ])
    .argument('<schedule>', 'name or id of the schedule')
    .option('--at <time>', 'ISO 8601 date and time; now if it is left out', instantOption)
    .action(async (schedule: string, { at }: { at?: Temporal.Instant }) => {
      const remote = createRemote(session);
      const id = await findScheduleId(remote, schedule);
      const entries = await onCallsAt(remote, id, at ?? Temporal.Now.instant());
      if (entries.length === 0)
        session.output.note('Nobody is on call; a page goes to the backstop, if there is one.');
      session.output.result(table(entries.map(row)), entries);
    });
}

function row({ stage, user, start_time, end_time }: OnCallEntry): string[] {
  const methods = user.contact_methods.map(({ type, value }) => `${type} ${value}`).join(', ');
  return [
    `stage ${stage}`,
    user.name,
    user.email,
    `${start_time} to ${end_time}`,
    methods || 'no phone, email or chat',
  ];
}
