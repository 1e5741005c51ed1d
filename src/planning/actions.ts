import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { inLanguage } from '../language/ambient.ts';
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

export type SavedSchedule = { id: string; created: boolean; changes: string[]; shown: string[] };

/**
 * Creates the organization's schedule of this name, or changes it to match the definition. `changes` are sentences,
 * empty if nothing differed; `shown` are the same in the language of the request. Call `planSchedule` afterwards in the same transaction.
 */
export async function upsertSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  definition: ScheduleDefinition,
): Promise<SavedSchedule> {
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
): Promise<SavedSchedule> {
  const definition = completed(given, before);
  const id = before?.id ?? newId('schedule');
  const overrides = overridesAfter(before?.overrides ?? [], definition, at);
  const after = { ...definition, overrides };
  const names = await namesOf(tx, organizationId, [before, after].flatMap(idsOf));
  const shown = scheduleChanges(before, after, names);
  // The audit log and the report of the operator's file have several readers.
  const changes = inLanguage('en', () => scheduleChanges(before, after, names));
  if (changes.length === 0) return { id, created: false, changes, shown };
  if (before) await updateSchedule(tx, at, id, definition);
  else await insertSchedule(tx, at, organizationId, id, definition);
  await saveStages(tx, at, organizationId, id, definition.stages);
  await saveOverrides(tx, at, organizationId, id, before?.overrides ?? [], overrides);
  return { id, created: before === null, changes, shown };
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
