import type { Handle } from '../db/database.ts';
import { readReach } from '../people/contact-store.ts';
import type { Means } from '../people/reachability.ts';
import type { ScheduleNow } from './api-contract.ts';

/** Adds to each schedule whether somebody on call, or the backstop, can be reached now. */
export async function withReach<Schedule extends Pick<ScheduleNow, 'backstop' | 'stages'>>(
  db: Handle,
  means: Means,
  schedules: readonly Schedule[],
): Promise<(Schedule & Pick<ScheduleNow, 'reachable'>)[]> {
  const onCall = ({ stages }: Schedule) => stages.flatMap(({ now }) => now.map(({ person }) => person.id));
  const backstop = (schedule: Schedule) => (schedule.backstop ? [schedule.backstop.id] : []);
  const reach = await readReach(
    db,
    schedules.flatMap((schedule) => [...onCall(schedule), ...backstop(schedule)]),
    means,
  );
  const anyOf = (ids: readonly string[]) => ids.some((id) => reach.get(id)?.reachable);
  return schedules.map((schedule) => ({
    ...schedule,
    reachable: anyOf(onCall(schedule)) ? 'on_call' : anyOf(backstop(schedule)) ? 'backstop' : 'nobody',
  }));
}
