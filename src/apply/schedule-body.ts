import { emailKey } from '../people/email.ts';
import type { ScheduleBody } from '../schedules/settings-contract.ts';
import type { ScheduleEntry, StageEntry } from './file/shape.ts';

/** Ids by the names in the file: email keys, slugs, and names of schedules. */
export type Names = {
  users: ReadonlyMap<string, string>;
  teams: ReadonlyMap<string, string>;
  schedules: ReadonlyMap<string, string>;
};

type StageBody = NonNullable<ScheduleBody['stages']>[number];

/**
 * Converts a schedule of the file to the body that the schedules room reads, with ids, and with layers in every stage. A
 * schedule that is new has its name instead of an id.
 */
export function scheduleBody(entry: ScheduleEntry, { users, schedules }: Names): ScheduleBody {
  const {
    overrides: _,
    holidays,
    stages,
    backstop,
    shares,
    people,
    never_together,
    only_with,
    shadows,
    ...same
  } = entry;
  const idOf = (email: string) => users.get(emailKey(email)) ?? emailKey(email);
  return {
    ...same,
    ...(holidays?.use && { holidays: holidays.use }),
    ...(backstop !== undefined && { backstop: backstop && idOf(backstop) }),
    ...(shares && { shares: shares.map(({ user, percent }) => ({ person: idOf(user), percent })) }),
    ...(people && { people: people.map(({ user, ...rules }) => ({ person: idOf(user), ...rules })) }),
    ...(shadows && {
      shadows: shadows.map(({ user, of, ...days }) => ({
        person: idOf(user),
        of: of ? idOf(of) : null,
        ...days,
      })),
    }),
    ...(never_together && { never_together: never_together.map((group) => group.map(idOf)) }),
    ...(only_with && {
      only_with: only_with.map((rule) => ({
        people: rule.people?.map(idOf) ?? null,
        with: rule.with.map(idOf),
      })),
    }),
    ...(stages && {
      stages: stages.map((stage) => ({ ...stageBody(stage, idOf), linked_to: linkOf(stage, schedules) })),
    }),
  };
}

/** The link of a stage to a schedule, by its id. */
export function linkOf(
  { linked_to }: StageEntry,
  schedules: Names['schedules'],
): { schedule: string; stage: number } | null {
  return linked_to
    ? { ...linked_to, schedule: schedules.get(linked_to.schedule) ?? linked_to.schedule }
    : null;
}

function stageBody(
  { shifts, time_zone, layers, linked_to: _, ...stage }: StageEntry,
  idOf: (email: string) => string,
): StageBody {
  // A person who is named twice in a list has already been reported.
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
