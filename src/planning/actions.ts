import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { type Settings, scheduleChanges } from '../schedules/changes.ts';
import {
  overridesAfter,
  type ScheduleDefinition,
  type StoredOverride,
  wholeStage,
} from '../schedules/definition.ts';
import { USUAL_RULES } from '../schedules/rules.ts';
import {
  deleteOverrides,
  insertOverrides,
  insertSchedule,
  lockSchedule,
  namesOf,
  type StoredSchedule,
  saveStages,
  updateSchedule,
} from '../schedules/store.ts';

export { type PlanSummary, planSchedule } from './plan-schedule.ts';

/**
 * Creates the organization's schedule of this name, or changes it to match the definition. `changes` are sentences,
 * empty if nothing differed. Call `planSchedule` afterwards in the same transaction.
 */
export async function upsertSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  definition: ScheduleDefinition,
): Promise<{ id: string; created: boolean; changes: string[] }> {
  return saveSchedule(
    tx,
    at,
    organizationId,
    await lockSchedule(tx, organizationId, definition.name),
    definition,
  );
}

/** Changes a locked schedule to match the definition, including its name; creates one if `before` is null. */
export async function saveSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  before: StoredSchedule | null,
  given: ScheduleDefinition,
): Promise<{ id: string; created: boolean; changes: string[] }> {
  const definition = completed(given, before);
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

function completed(given: ScheduleDefinition, before: StoredSchedule | null): ScheduleDefinition {
  const holidays = given.holidays ?? before?.holidays ?? 'weight';
  const planning = given.planning ?? before?.planning ?? USUAL_RULES;
  return { ...given, holidays, planning, stages: given.stages.map(wholeStage) };
}

async function saveOverrides(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  before: readonly StoredOverride[],
  after: readonly StoredOverride[],
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const kept = new Set(after.map(({ id }) => id));
  const gone = [...known].filter((id) => !kept.has(id));
  const fresh = after.filter(({ id }) => !known.has(id));
  await deleteOverrides(tx, scheduleId, gone);
  await insertOverrides(tx, at, organizationId, scheduleId, fresh);
}

function idsOf(settings: Settings | null): string[] {
  if (!settings) return [];
  const { teamId, backstopUserId, stages, overrides, planning } = settings;
  const { neverTogether = [], onlyWith = [], shadows = [] } = planning ?? USUAL_RULES;
  return [
    teamId,
    ...(backstopUserId ? [backstopUserId] : []),
    ...stages.flatMap(({ memberIds, linkedTo }) => [
      ...memberIds,
      ...(linkedTo ? [linkedTo.scheduleId] : []),
    ]),
    ...overrides.map(({ userId }) => userId),
    ...neverTogether.flat(),
    ...onlyWith.flatMap((rule) => [...(rule.people ?? []), ...rule.with]),
    ...shadows.flatMap(({ userId, of }) => (of === null ? [userId] : [userId, of])),
  ];
}
