import { emailKey } from '../../../people/email.ts';
import type { AvailabilityEntry, FileDefinition } from './definition.ts';
import { byPlace, type Placed, type Problem, problemAt } from './place.ts';
import { readAvailability } from './read-availability.ts';
import { readTimeZone, refuseDoubles } from './read-common.ts';
import { readSchedule } from './read-schedule.ts';
import { readTeam } from './read-team.ts';
import { readUser } from './read-user.ts';
import { readSource } from './source.ts';
import type { Value } from './value.ts';

/** The file as far as it could be read; what could not is among the problems. Null: not even as YAML. */
export type Reading = { definition: FileDefinition | null; problems: Problem[] };

const SECTIONS = ['organization', 'users', 'teams', 'schedules', 'availabilities'] as const;

/** Reads a file for `apply`, and everything that is wrong with it as far as the file alone tells. */
export function readFileDefinition(text: string): Reading {
  const { root, problems } = readSource(text);
  const fields = root?.fields('this file', SECTIONS);
  if (!fields) return { definition: null, problems: problems.toSorted(byPlace) };
  const definition: FileDefinition = {
    organization: readOrganization(fields.get('organization')),
    users: readEach(fields.get('users'), readUser),
    teams: readEach(fields.get('teams'), readTeam),
    schedules: readEach(fields.get('schedules'), readSchedule),
    availabilities: readEach(fields.get('availabilities'), readAvailability),
  };
  problems.push(...doubles(definition));
  return { definition, problems: problems.toSorted(byPlace) };
}

function readOrganization(value: Value | undefined): FileDefinition['organization'] {
  const fields = value?.fields('the organization', ['name', 'time_zone']);
  const name = fields?.get('name');
  const text = name?.text();
  return {
    name: name && text !== undefined ? name.placed(text) : undefined,
    timeZone: readTimeZone(fields?.get('time_zone')),
  };
}

function readEach<T>(value: Value | undefined, read: (item: Value) => T | undefined): T[] {
  return value?.list()?.flatMap((item) => read(item) ?? []) ?? [];
}

/** Whatever may be there only once. */
function doubles(definition: FileDefinition): Problem[] {
  const problems: Problem[] = [];
  const report = (second: Placed<unknown>, message: string) => problems.push(problemAt(second, message));
  const { users, teams, schedules, availabilities } = definition;
  refuseDoubles(
    users,
    ({ email }) => emailKey(email.value),
    ({ email }) => email,
    report,
  );
  refuseDoubles(
    users.flatMap(({ username }) => username ?? []),
    ({ value }) => value.toLowerCase(),
    (username) => username,
    report,
  );
  refuseDoubles(
    teams,
    ({ slug }) => slug.value,
    ({ slug }) => slug,
    report,
  );
  refuseDoubles(
    schedules,
    ({ name }) => name.value,
    ({ name }) => name,
    report,
  );
  refuseDoubles(availabilities, availabilityKey, ({ user }) => user, report);
  for (const { overrides } of schedules) {
    refuseDoubles(
      overrides ?? [],
      ({ stage, user, startsAt, endsAt }) => `${stage.value} ${emailKey(user.value)} ${startsAt} ${endsAt}`,
      ({ user }) => user,
      report,
    );
  }
  return problems;
}

function availabilityKey({ user, type, name, startsAt, endsAt }: AvailabilityEntry): string {
  return `${emailKey(user.value)} ${type} ${startsAt} ${endsAt} ${name}`;
}
