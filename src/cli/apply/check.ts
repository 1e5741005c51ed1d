import { emailKey } from '../../people/email.ts';
import { isEnabledWithNobody, WITH_NOBODY } from '../../schedules/definition.ts';
import type { FileDefinition, ScheduleEntry } from './file/definition.ts';
import { didYouMean } from './file/near.ts';
import { type Placed, type Problem, problemAt } from './file/place.ts';
import type { State } from './state.ts';

/**
 * What the file says about people, teams and stages that neither it nor the organization has. `found` are the
 * problems of the file itself: what was not understood there must not be called missing here.
 */
export function checkFile(
  file: FileDefinition,
  state: State,
  prune: boolean,
  found: readonly Problem[],
): Problem[] {
  const people = knownPeople(file, state, prune);
  const teams = new Set([
    ...file.teams.map(({ slug }) => slug.value),
    ...(prune ? [] : state.teams.map(({ slug }) => slug)),
  ]);
  const problems = [
    ...mentionedPeople(file).flatMap((person) => missingPerson(person, people)),
    ...file.schedules.flatMap(({ team }) => (team ? missingTeam(team, teams) : [])),
    ...file.schedules.flatMap((entry) => missingStages(entry, state)),
    ...file.schedules.flatMap((entry) => missingParts(entry, state)),
    ...file.schedules.flatMap((entry) => withNobody(entry, state)),
    ...takenUsernames(file, state, prune),
  ];
  return problems.filter(({ path }) => !found.some((problem) => problem.path.startsWith(path)));
}

/** Email addresses as they are written, by which people may be called. */
function knownPeople(file: FileDefinition, state: State, prune: boolean): Map<string, string> {
  const staying = prune ? [] : state.users.filter((user) => user.disabledAt === null);
  const emails = [...staying.map((user) => user.email), ...file.users.map(({ email }) => email.value)];
  return new Map(emails.map((email) => [emailKey(email), email]));
}

function mentionedPeople(file: FileDefinition): Placed<string>[] {
  return [
    ...file.teams.flatMap(({ members }) => members ?? []),
    ...file.schedules.flatMap(({ backstop, stages, overrides }) => [
      ...(backstop ? [backstop] : []),
      ...(stages ?? []).flatMap(({ members, layers }) => [
        ...members,
        ...layers.flatMap((layer) => layer.members.filter((one) => !members.includes(one))),
      ]),
      ...(overrides ?? []).map(({ user }) => user),
    ]),
    ...file.availabilities.map(({ user }) => user),
  ];
}

function missingPerson(person: Placed<string>, people: ReadonlyMap<string, string>): Problem[] {
  if (people.has(emailKey(person.value))) return [];
  const hint = didYouMean(person.value, people.values()) || '; add them under users';
  return [
    problemAt(person, `is ${person.value}, who is neither in this file nor in the organization${hint}`),
  ];
}

function missingTeam(team: Placed<string>, teams: ReadonlySet<string>): Problem[] {
  if (teams.has(team.value)) return [];
  const hint = didYouMean(team.value, teams) || '; add it under teams';
  return [
    problemAt(team, `is ${team.value}, a team that is neither in this file nor in the organization${hint}`),
  ];
}

function missingStages(entry: ScheduleEntry, state: State): Problem[] {
  const stages = (entry.stages ?? state.schedules.get(entry.name.value)?.stages ?? []).map(({ stage }) =>
    typeof stage === 'number' ? stage : stage.value,
  );
  return (entry.overrides ?? [])
    .filter(({ stage }) => !stages.includes(stage.value))
    .map(({ stage }) =>
      problemAt(
        stage,
        `is ${stage.value}, but the schedule has ${stages.join(', ') || 'no stages'}; give one of its stages`,
      ),
    );
}

/** A schedule that does not exist yet needs a team, shifts and stages. */
function missingParts(entry: ScheduleEntry, state: State): Problem[] {
  if (state.schedules.has(entry.name.value)) return [];
  const base = entry.name.path.replace(/\.name$/, '');
  const missing: [string, unknown, string][] = [
    ['team', entry.team, 'the slug of the team that it belongs to'],
    ['shifts', entry.pattern, 'when shifts change, such as { every: week, handoff: "Monday 09:00" }'],
    ['stages', entry.stages, 'at least one stage with its members'],
  ];
  return missing
    .filter(([, value]) => value === undefined)
    .map(([key, , hint]) => ({
      ...entry.name.place,
      path: `${base}.${key}`,
      message: `is missing; give ${hint}`,
    }));
}

function withNobody(entry: ScheduleEntry, state: State): Problem[] {
  const before = state.schedules.get(entry.name.value) ?? null;
  const enabled = entry.enabled ?? before?.enabled ?? true;
  const members = entry.stages
    ? entry.stages.flatMap((stage) => [...stage.members, ...stage.layers.flatMap((layer) => layer.members)])
    : (before?.stages ?? []).flatMap(({ memberIds }) => memberIds);
  const isNew = before === null && entry.stages === undefined;
  if (isNew || !isEnabledWithNobody({ enabled, members: members.length }, before)) return [];
  const path = `${entry.name.path.replace(/\.name$/, '')}.enabled`;
  return [{ ...entry.name.place, path, message: WITH_NOBODY }];
}

/** Usernames that somebody else keeps: not in the file, not about to go, not disabled. */
function takenUsernames(file: FileDefinition, state: State, prune: boolean): Problem[] {
  const given = new Map(file.users.map((user) => [emailKey(user.email.value), user.username]));
  const holders = state.users.filter(({ email, disabledAt }) => {
    const mentioned = given.has(emailKey(email));
    return mentioned ? given.get(emailKey(email)) === undefined : disabledAt === null && !prune;
  });
  return file.users.flatMap(({ email, username }) => {
    const holder = holders.find((user) => user.username.toLowerCase() === username?.value.toLowerCase());
    if (!username || !holder || emailKey(holder.email) === emailKey(email.value)) return [];
    return [problemAt(username, `is ${username.value}, which ${holder.email} has; give another one`)];
  });
}
