import { type HolidayPlace, regionAlone } from '../../calendars/country-holidays.ts';
import { calendarUrl } from '../../calendars/fetching.ts';
import type { FileHolidays } from '../../calendars/file-holidays.ts';
import { unique } from '../../calendars/holiday-calendars.ts';
import { parseInstant } from '../../kit/instant.ts';
import { ratesProblems } from '../../pay/rates-check.ts';
import { tableKey } from '../../pay/tables.ts';
import { type Rule, URGENCIES } from '../../people/contract.ts';
import { emailKey } from '../../people/email.ts';
import { readRules } from '../../people/rule-reading.ts';
import { nameProblems } from '../../people/team-actions.ts';
import { readContactMethod } from './contact-method.ts';
import type { FileDocument } from './document.ts';
import {
  CHANNEL_ALIASES,
  type HolidaysEntry,
  type OperatorFile,
  type PayTableEntry,
  type ScheduleEntry,
  type StageEntry,
  type UserEntry,
} from './shape.ts';

/** Reports errors in the contents of a well-formed file, as far as they can be found without the database. */
export function reportContents(document: FileDocument, file: OperatorFile): void {
  const { users = [], teams = [], schedules = [], sources = [], availabilities = [] } = file;
  refuseDoubles(document, users, 'email', ({ email }) => emailKey(email));
  refuseDoubles(document, users, 'username', ({ username }) => username?.toLowerCase());
  refuseDoubles(document, teams, 'slug', ({ slug }) => slug);
  refuseDoubles(document, schedules, 'name', ({ name }) => name);
  refuseDoubles(document, sources, 'name', ({ team, name }) => `${team} ${name.toLowerCase()}`);
  refuseDoubles(document, availabilities, 'user', ({ user, type, name = '', ...entry }) => {
    const { startsAt, endsAt } = rangeOf(entry);
    return `${emailKey(user)} ${type} ${startsAt} ${endsAt} ${name}`;
  });
  for (const user of users) reportUser(document, user);
  for (const team of teams) {
    for (const { message } of nameProblems(team.name ?? team.slug))
      document.report(document.pathOf(team, 'name'), message);
    refuseTwice(document, team.members);
  }
  for (const schedule of schedules) reportSchedule(document, schedule);
  for (const entry of availabilities) reportRange(document, entry);
  reportPayTables(document, file.pay_tables ?? []);
}

function reportPayTables(document: FileDocument, tables: readonly PayTableEntry[]): void {
  refuseDoubles(document, tables, 'name', ({ name }) => tableKey(name));
  for (const table of tables) {
    const { country, region, versions = [] } = table;
    refuseDoubles(document, versions, 'from', ({ from }) => from);
    if (typeof region === 'string' && typeof country !== 'string')
      document.report(document.pathOf(table, 'region'), regionAlone(region).message);
    for (const version of versions)
      for (const { field, message } of ratesProblems({ until: null, ...version }))
        document.report(document.pathOf(version, field), message);
  }
  const [first, ...more] = tables.filter((table) => table.default === true);
  for (const table of more)
    document.report(
      document.pathOf(table, 'default'),
      `is true, but ${first?.name} is already the default; make only one rate table the default`,
    );
}

/** The start and end of an entry, which are known to be valid times. */
export function rangeOf({ start, end }: { start: string; end: string }): {
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
} {
  const [startsAt, endsAt] = [parseInstant(start), parseInstant(end)];
  if (!startsAt || !endsAt) throw new Error('a time of the file was not checked before it was used');
  return { startsAt, endsAt };
}

/** What the holidays of a schedule are: the days of a list have a name, and each is in it once. */
export function fileHolidays({ url, days }: HolidaysEntry, place: HolidayPlace | undefined): FileHolidays {
  const named = days?.map((day) =>
    typeof day === 'string' ? { date: day, name: 'Holiday' } : { name: 'Holiday', ...day },
  );
  return { place, url: url === undefined ? undefined : calendarUrl(url)?.href, days: named && unique(named) };
}

/** A person's notification rules; undefined if the file does not mention them. */
export function rulesOf({ notification_rules: written }: UserEntry): Rule[] | undefined {
  if (!written) return undefined;
  return URGENCIES.flatMap((urgency) => {
    const rules = (written[urgency] ?? []).map(({ after_minutes, types }) => ({
      after_minutes,
      channels: types.map((type) => CHANNEL_ALIASES.get(type) ?? type),
    }));
    const read = rules.length > 0 ? readRules(urgency, { rules }) : { rules: [] };
    if ('problems' in read) throw new Error('the rules of the file were not checked before they were used');
    return read.rules;
  });
}

function reportRange(document: FileDocument, entry: { start: string; end: string }): void {
  const { startsAt, endsAt } = rangeOf(entry);
  if (Temporal.Instant.compare(startsAt, endsAt) >= 0)
    document.report(document.pathOf(entry, 'end'), 'is not after start; give a later time');
}

function reportUser(document: FileDocument, { contact_methods: methods = [], pay = [] }: UserEntry): void {
  refuseDoubles(document, pay, 'from', ({ from = '' }) => from);
  for (const entry of methods) {
    const read = readContactMethod(entry);
    if (!('problems' in read)) continue;
    for (const { field, message } of read.problems) document.report(document.pathOf(entry, field), message);
  }
  refuseDoubles(document, methods, '', (entry) => {
    const read = readContactMethod(entry);
    return 'method' in read ? `${read.method.type} ${read.method.value}` : `${entry.type} ${entry.value}`;
  });
}

function reportSchedule(
  document: FileDocument,
  { holidays, stages = [], overrides = [] }: ScheduleEntry,
): void {
  if (holidays) reportHolidays(document, holidays);
  for (const stage of stages) reportStage(document, stage);
  for (const override of overrides) reportRange(document, override);
  refuseDoubles(document, overrides, 'user', ({ stage, user, ...entry }) => {
    const { startsAt, endsAt } = rangeOf(entry);
    return `${stage} ${emailKey(user)} ${startsAt} ${endsAt}`;
  });
}

function reportHolidays(document: FileDocument, holidays: HolidaysEntry): void {
  const { region, url } = holidays;
  const isGiven = (key: 'country' | 'url' | 'days') =>
    holidays[key] !== undefined || document.hasErrorsAt(document.pathOf(holidays, key));
  const [kept, ...more] = (['country', 'url', 'days'] as const).filter(isGiven);
  for (const key of more)
    document.report(document.pathOf(holidays, key), `cannot be combined with ${kept}; keep only one of them`);
  if (region !== undefined && !isGiven('country'))
    document.report(document.pathOf(holidays, 'region'), regionAlone(region).message);
  if (url !== undefined && !calendarUrl(url))
    document.report(
      document.pathOf(holidays, 'url'),
      `is ${JSON.stringify(url)}; give the http or https address of an iCalendar file`,
    );
}

const IN_EACH_LAYER = ['members', 'seats', 'time_zone', 'shifts'] as const;

function reportStage(document: FileDocument, stage: StageEntry): void {
  const { members, layers, linked_to } = stage;
  const missing = document.pathOf(stage, 'members');
  if (
    !layers &&
    !members &&
    !linked_to &&
    !document.hasErrorsAt(missing) &&
    !document.hasErrorsAt(document.pathOf(stage, 'layers'))
  )
    document.report(missing, 'is missing; give a list of email addresses');
  for (const key of IN_EACH_LAYER)
    if (layers && stage[key] !== undefined)
      document.report(document.pathOf(stage, key), 'cannot be combined with layers; give it in each layer');
  for (const list of [members, ...(layers ?? []).map((layer) => layer.members)]) refuseTwice(document, list);
}

/** Reports people who are named twice in a list. */
function refuseTwice(document: FileDocument, people: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const [index, email] of people.entries()) {
    const key = emailKey(email);
    if (seen.has(key)) document.report(document.pathOf(people, `[${index}]`), `names ${email} twice`);
    seen.add(key);
  }
}

/** Reports entries that repeat the key of an earlier one. Entries without a key are skipped. */
function refuseDoubles<T extends object>(
  document: FileDocument,
  entries: readonly T[],
  field: string,
  keyOf: (entry: T) => string | undefined,
): void {
  const first = new Map<string, T>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = key === undefined ? undefined : first.get(key);
    if (key !== undefined && !known) first.set(key, entry);
    if (!known) continue;
    const { line } = document.positionOf(document.pathOf(known, field));
    document.report(document.pathOf(entry, field), `appears twice; it is already in line ${line}`);
  }
}
