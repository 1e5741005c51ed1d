import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { overrideKey, type Settings, scheduleChanges } from './changes.ts';
import type { Pattern } from './plan/pattern.ts';
import {
  deleteOverrides,
  insertOverrides,
  insertSchedule,
  lockSchedule,
  namesOf,
  type StoredOverride,
  saveStages,
  updateSchedule,
} from './store.ts';

export type StageDefinition = {
  /** Decimal: stages are taken in ascending order. */
  stage: number;
  escalateAfterSeconds: number;
  /** How many people are on call in this stage at once. */
  seats: number;
  /** In the order of the rotation. */
  memberIds: string[];
};

export type OverrideDefinition = {
  stage: number;
  userId: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

export type ScheduleDefinition = {
  name: string;
  teamId: string;
  description: string | null;
  enabled: boolean;
  /** IANA name. */
  timeZone: string;
  backstopUserId: string | null;
  strategy: 'fair' | 'rotation';
  planAheadWeeks: number;
  /** Between two shifts of one person. */
  restHours: number;
  cover: 'propose' | 'apply';
  pattern: Pattern;
  stages: StageDefinition[];
  /** Null: leave those that exist. */
  overrides: OverrideDefinition[] | null;
};

/**
 * Makes the organization's schedule of this name what the definition says, or creates it. `changes` are sentences for
 * people, none when it was so already. Plan it afterwards, in the same transaction, with `planSchedule`.
 */
export async function upsertSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  definition: ScheduleDefinition,
): Promise<{ id: string; created: boolean; changes: string[] }> {
  const before = await lockSchedule(tx, organizationId, definition.name);
  const id = before?.id ?? newId('schedule');
  const overrides = overridesAfter(before?.overrides ?? [], definition, at);
  const after = { ...definition, overrides };
  const names = await namesOf(tx, organizationId, [before, after].flatMap(idsOf));
  const changes = scheduleChanges(before, after, names);
  if (changes.length === 0) return { id, created: false, changes };
  if (before) await updateSchedule(tx, at, id, definition);
  else await insertSchedule(tx, at, organizationId, id, definition);
  await saveStages(tx, at, organizationId, id, definition.stages);
  await saveOverrides(tx, at, organizationId, id, before?.overrides ?? [], overrides);
  return { id, created: before === null, changes };
}

/** Those asked for, or those that exist; those of the past stay, those of a stage that is gone go with it. */
function overridesAfter(
  before: readonly StoredOverride[],
  definition: ScheduleDefinition,
  at: Temporal.Instant,
): StoredOverride[] {
  const over = before.filter(({ endsAt }) => Temporal.Instant.compare(endsAt, at) <= 0);
  const wanted = definition.overrides?.map(toMilliseconds) ?? before;
  const unique = new Map<string, StoredOverride>();
  for (const override of [...over, ...wanted]) {
    const key = overrideKey(override);
    const known = before.find((other) => overrideKey(other) === key);
    if (!unique.has(key)) unique.set(key, { ...override, id: known?.id ?? newId('override') });
  }
  return [...unique.values()].filter(({ stage }) => definition.stages.some((other) => other.stage === stage));
}

/** Shifts begin and end at whole milliseconds. */
function toMilliseconds(override: OverrideDefinition): OverrideDefinition {
  const whole = (at: Temporal.Instant) => Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds);
  return { ...override, startsAt: whole(override.startsAt), endsAt: whole(override.endsAt) };
}

async function saveOverrides(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  before: readonly StoredOverride[],
  after: readonly StoredOverride[],
): Promise<void> {
  const kept = new Set(after.map(({ id }) => id));
  const known = new Set(before.map(({ id }) => id));
  await deleteOverrides(
    tx,
    scheduleId,
    [...known].filter((id) => !kept.has(id)),
  );
  await insertOverrides(
    tx,
    at,
    organizationId,
    scheduleId,
    after.filter(({ id }) => !known.has(id)),
  );
}

function idsOf(settings: Settings | null): string[] {
  if (!settings) return [];
  const { teamId, backstopUserId, stages, overrides } = settings;
  return [
    teamId,
    ...(backstopUserId ? [backstopUserId] : []),
    ...stages.flatMap(({ memberIds }) => memberIds),
    ...overrides.map(({ userId }) => userId),
  ];
}
