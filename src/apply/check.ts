import { emailKey } from '../people/email.ts';
import type { ScheduleDefinition } from '../schedules/definition.ts';
import type { LinkedSchedule } from '../schedules/linked-stages.ts';
import { readDefinition } from '../schedules/settings-reading.ts';
import { rangeOf } from './file/contents.ts';
import type { FileDocument } from './file/document.ts';
import { didYouMean } from './file/near.ts';
import type { OperatorFile, ScheduleEntry, StageEntry } from './file/shape.ts';
import { linkOf, type Names, scheduleBody } from './schedule-body.ts';
import type { State } from './state.ts';

type Checking = {
  document: FileDocument;
  file: OperatorFile;
  state: State;
  prune: boolean;
  names: Names;
  at: Temporal.Instant;
};

/**
 * Reports references to unknown people, teams and stages, and validates the schedules. Returns the valid definitions by
 * name. If the team of a schedule is new, its `teamId` is the slug.
 */
export function checkFile(checking: Checking): Map<string, ScheduleDefinition> {
  const { document, file, state, prune } = checking;
  const people = knownPeople(file, state, prune);
  const teams = new Set([
    ...(file.teams ?? []).map(({ slug }) => slug),
    ...(prune ? [] : state.teams.map(({ slug }) => slug)),
  ]);
  for (const { path, email } of mentionedPeople(document, file)) {
    if (people.has(emailKey(email)) || document.hasErrorsAt(path)) continue;
    const hint = didYouMean(email, people.values()) || '; add them under users';
    document.report(path, `is ${email}, who is neither in this file nor in the organization${hint}`);
  }
  reportTakenUsernames(checking);
  const definitions = new Map<string, ScheduleDefinition>();
  const linked = linkedAfter(checking);
  for (const entry of file.schedules ?? []) {
    const definition = checkSchedule(checking, entry, teams, linked);
    if (definition) definitions.set(entry.name, definition);
  }
  return definitions;
}

/** The email addresses that may be used for people, as they are written. */
function knownPeople(file: OperatorFile, state: State, prune: boolean): Map<string, string> {
  const staying = prune ? [] : state.users.filter((user) => user.disabledAt === null);
  const emails = [...staying, ...(file.users ?? [])].map(({ email }) => email);
  return new Map(emails.map((email) => [emailKey(email), email]));
}

function mentionedPeople(document: FileDocument, file: OperatorFile): { path: string; email: string }[] {
  const each = (people: readonly string[] = []) =>
    people.map((email, index) => ({ path: document.pathOf(people, `[${index}]`), email }));
  const userOf = (entry: { user: string }) => ({ path: document.pathOf(entry, 'user'), email: entry.user });
  return [
    ...(file.teams ?? []).flatMap(({ members }) => each(members)),
    ...(file.schedules ?? []).flatMap((entry) => [
      ...(entry.backstop ? [{ path: document.pathOf(entry, 'backstop'), email: entry.backstop }] : []),
      ...(entry.stages ?? []).flatMap(({ members, layers = [] }) => [
        ...each(members),
        ...layers.flatMap((layer) => each(layer.members)),
      ]),
      ...(entry.overrides ?? []).map(userOf),
      ...(entry.shares ?? []).map(userOf),
      ...(entry.people ?? []).map(userOf),
      ...(entry.never_together ?? []).flatMap(each),
      ...(entry.only_with ?? []).flatMap((rule) => [...each(rule.people ?? []), ...each(rule.with)]),
      ...(entry.shadows ?? []).flatMap((shadow) => [
        userOf(shadow),
        ...(shadow.of ? [{ path: document.pathOf(shadow, 'of'), email: shadow.of }] : []),
      ]),
    ]),
    ...(file.availabilities ?? []).map(userOf),
  ];
}

/** All schedules of the organization after the file is applied, with their linked stages. */
function linkedAfter({ file: { schedules = [] }, state, names, prune }: Checking): LinkedSchedule[] {
  const inFile = schedules.map((entry) => {
    const before = state.schedules.get(entry.name);
    return {
      id: names.schedules.get(entry.name) ?? entry.name,
      name: entry.name,
      enabled: entry.enabled ?? before?.enabled ?? true,
      stages: entry.stages?.map((stage) => linkedStage(stage, names)) ?? before?.stages ?? [],
    };
  });
  const mentioned = new Set(schedules.map(({ name }) => name));
  return [...inFile, ...(prune ? [] : state.linked.filter(({ name }) => !mentioned.has(name)))];
}

function linkedStage(entry: StageEntry, { schedules }: Names): LinkedSchedule['stages'][number] {
  const link = linkOf(entry, schedules);
  return { stage: entry.stage, linkedTo: link ? { scheduleId: link.schedule, stage: link.stage } : null };
}

function checkSchedule(
  { document, state, names, at }: Checking,
  entry: ScheduleEntry,
  teams: ReadonlySet<string>,
  linked: readonly LinkedSchedule[],
): ScheduleDefinition | null {
  const before = state.schedules.get(entry.name) ?? null;
  const base = document.pathOf(entry);
  if (entry.team !== undefined && !teams.has(entry.team)) {
    const hint = didYouMean(entry.team, teams) || '; add it under teams';
    const message = `is ${entry.team}, a team that is neither in this file nor in the organization${hint}`;
    document.report(`${base}.team`, message);
  }
  reportMissingStages(document, entry, before?.stages ?? []);
  const broken = new Set(
    document.errors
      .filter(({ path }) => path.startsWith(`${base}.`))
      .map(({ path }) => path.slice(base.length + 1).split(/[.[]/)[0] ?? ''),
  );
  const passedOver = new Set([...broken].filter((field) => !(field in entry)));
  const read = readDefinition(
    scheduleBody(entry, names),
    {
      before,
      people: new Set(names.users.values()),
      teamId: entry.team === undefined ? null : (names.teams.get(entry.team) ?? entry.team),
      id: before?.id ?? null,
      others: linked.filter(({ name }) => name !== entry.name),
      nameTaken: false,
      timeZone: state.organization.timeZone,
      at,
    },
    passedOver,
  );
  if ('definition' in read) return { ...read.definition, overrides: overridesOf(entry, names) };
  for (const { field, message } of read.problems) {
    const path = pathOf(document, entry, field);
    // A schedule may only look as if it had no people because part of it could not be read.
    if (broken.size === 0 || field !== 'enabled')
      if (!document.hasErrorsAt(path)) document.report(path, message);
  }
  return null;
}

/**
 * The path in the file of a field of the definition, in which a stage with shifts of its own has become a stage with
 * one layer.
 */
function pathOf(document: FileDocument, entry: ScheduleEntry, field: string): string {
  const own = field.replace(/^(stages\[(\d+)\])\.layers\[0\]/, (whole, stage: string, index: string) =>
    entry.stages?.[Number(index)]?.layers ? whole : stage,
  );
  return document.pathOf(entry, own.replace(/^((?:shares|people|shadows)\[\d+\])\.person$/, '$1.user'));
}

function reportMissingStages(
  document: FileDocument,
  { stages, overrides = [], ...entry }: ScheduleEntry,
  before: readonly { stage: number }[],
): void {
  const known = (stages ?? before).map(({ stage }) => stage);
  for (const override of overrides)
    if (!known.includes(override.stage)) {
      const has = known.join(', ') || 'no stages';
      const message = `is ${override.stage}, but schedule ${entry.name} has ${has}; give one of its stages`;
      document.report(document.pathOf(override, 'stage'), message);
    }
}

function overridesOf({ overrides }: ScheduleEntry, { users }: Names): ScheduleDefinition['overrides'] {
  if (!overrides) return null;
  return overrides.map(({ stage, user, ...times }) => ({
    stage,
    userId: users.get(emailKey(user)) ?? '',
    ...rangeOf(times),
  }));
}

/** Reports usernames of people who are not in the file and who will be neither removed nor disabled. */
function reportTakenUsernames({ document, file: { users = [] }, state, prune }: Checking): void {
  const given = new Map(users.map((user) => [emailKey(user.email), user.username]));
  const holders = state.users.filter(({ email, disabledAt }) => {
    const mentioned = given.has(emailKey(email));
    return mentioned ? given.get(emailKey(email)) === undefined : disabledAt === null && !prune;
  });
  const holderOf = new Map(holders.toReversed().map((holder) => [holder.username.toLowerCase(), holder]));
  for (const user of users) {
    const { email, username } = user;
    const holder = username === undefined ? undefined : holderOf.get(username.toLowerCase());
    if (!holder || emailKey(holder.email) === emailKey(email)) continue;
    const message = `is ${username}, which ${holder.email} has; give another one`;
    document.report(document.pathOf(user, 'username'), message);
  }
}
