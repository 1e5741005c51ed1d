import { emailKey } from '../../people/email.ts';
import type { ScheduleBody } from '../../schedules/settings-contract.ts';
import type { ScheduleEntry, StageEntry } from './file/shape.ts';

/** Identifiers by what the file calls people and teams: email key, slug. */
export type Names = { users: ReadonlyMap<string, string>; teams: ReadonlyMap<string, string> };

type StageBody = NonNullable<ScheduleBody['stages']>[number];

/** A schedule of the file as the room of schedules reads it: with identifiers, and layers in every stage. */
export function scheduleBody(entry: ScheduleEntry, { users }: Names): ScheduleBody {
  const { overrides: _, holidays, stages, backstop, ...same } = entry;
  const idOf = (email: string) => users.get(emailKey(email)) ?? emailKey(email);
  return {
    ...same,
    ...(holidays?.use && { holidays: holidays.use }),
    ...(backstop !== undefined && { backstop: backstop && idOf(backstop) }),
    ...(stages && { stages: stages.map((stage) => stageBody(stage, idOf)) }),
  };
}

function stageBody(
  { shifts, time_zone, layers, ...stage }: StageEntry,
  idOf: (email: string) => string,
): StageBody {
  // Whom a list names twice was reported where the list stands.
  const ids = (emails: readonly string[] = []) => [...new Set(emails.map(idOf))];
  const members = ids(stage.members);
  const own = { shifts, time_zone: time_zone ?? null, name: 'everybody', members, seats: stage.seats ?? 1 };
  return {
    ...stage,
    members,
    layers:
      layers?.map((layer) => ({ ...layer, members: ids(layer.members) })) ??
      (shifts !== undefined || time_zone ? [own] : []),
  };
}
