import { saveFileHolidays } from '../../calendars/file-holidays.ts';
import type { Tx } from '../../db/database.ts';
import { emailKey } from '../../people/email.ts';
import { upsertSchedule } from '../../planning/actions.ts';
import { DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES } from '../../schedules/acknowledge-timeout-contract.ts';
import {
  type OverrideDefinition,
  type ScheduleDefinition,
  type StageDefinition,
  wholeStage,
} from '../../schedules/definition.ts';
import { USUAL_RULES } from '../../schedules/rules.ts';
import type { StoredSchedule } from '../../schedules/store.ts';
import type { Change } from './change.ts';
import type {
  FileDefinition,
  LayerEntry,
  OverrideEntry,
  ScheduleEntry,
  StageEntry,
} from './file/definition.ts';
import { rulesAfter } from './file/read-planning.ts';
import type { State } from './state.ts';

const DEFAULT_PLAN_AHEAD_WEEKS = 12;

/** Identifiers by what the file calls people and teams: email key, slug. */
export type Names = { users: ReadonlyMap<string, string>; teams: ReadonlyMap<string, string> };

export async function saveSchedules(
  tx: Tx,
  at: Temporal.Instant,
  file: FileDefinition,
  state: State,
  names: Names,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const entry of file.schedules) {
    const name = entry.name.value;
    const before = state.schedules.get(name);
    const definition = definitionAfter(entry, before, state.organization.timeZone, names);
    const saved = await upsertSchedule(tx, at, state.organization.id, definition);
    const holidays = entry.holidays
      ? await saveFileHolidays(tx, at, state.organization.id, saved.id, entry.holidays)
      : [];
    const details = [...saved.changes, ...holidays];
    if (!before || details.length > 0)
      changes.push({
        action: before ? 'change' : 'add',
        kind: 'schedule',
        id: saved.id,
        name,
        details,
      });
  }
  return changes;
}

function definitionAfter(
  entry: ScheduleEntry,
  before: StoredSchedule | undefined,
  timeZone: string,
  names: Names,
): ScheduleDefinition {
  const user = (email: string) => known(names.users, emailKey(email));
  const backstop = entry.backstop && user(entry.backstop.value);
  return {
    name: entry.name.value,
    teamId: entry.team ? known(names.teams, entry.team.value) : said(before?.teamId),
    description: entry.description === undefined ? (before?.description ?? null) : entry.description,
    enabled: entry.enabled ?? before?.enabled ?? true,
    timeZone: entry.timeZone ?? before?.timeZone ?? timeZone,
    backstopUserId: backstop === undefined ? (before?.backstopUserId ?? null) : backstop,
    strategy: entry.strategy ?? before?.strategy ?? 'rotation',
    planAheadWeeks: entry.planAheadWeeks ?? before?.planAheadWeeks ?? DEFAULT_PLAN_AHEAD_WEEKS,
    restHours: entry.restHours ?? before?.restHours ?? 0,
    cover: entry.cover ?? before?.cover ?? 'propose',
    acknowledgeTimeoutMinutes:
      entry.acknowledgeTimeoutMinutes ??
      before?.acknowledgeTimeoutMinutes ??
      DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES,
    pattern: said(entry.pattern ?? before?.pattern),
    planning: rulesAfter(entry.planning, before?.planning ?? USUAL_RULES),
    holidays: entry.holidays?.use ?? before?.holidays ?? 'weight',
    stages: entry.stages?.map((stage) => stageAfter(stage, user)) ?? said(before?.stages),
    overrides: entry.overrides?.map((override) => overrideAfter(override, user)) ?? null,
  };
}

function stageAfter(entry: StageEntry, user: (email: string) => string): StageDefinition {
  const { stage, members, escalateAfterSeconds, seats, layers } = entry;
  const ids = (people: LayerEntry['members']) => people.map(({ value }) => user(value));
  return wholeStage({
    stage: stage.value,
    escalateAfterSeconds,
    seats,
    memberIds: ids(members),
    layers: layers.map(({ name, pattern = null, timeZone = null, ...layer }) => ({
      ...{ name, pattern, timeZone, seats: layer.seats },
      memberIds: ids(layer.members),
    })),
  });
}

function overrideAfter(entry: OverrideEntry, user: (email: string) => string): OverrideDefinition {
  const { stage, startsAt, endsAt } = entry;
  return { stage: stage.value, userId: user(entry.user.value), startsAt, endsAt };
}

/** The file was checked before: what is not known here is our own mistake, and nothing may be saved. */
function known(ids: ReadonlyMap<string, string>, name: string): string {
  return said(ids.get(name));
}

function said<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the file was not checked before it was applied');
  return value;
}
