import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { type Settings, scheduleChanges } from './changes.ts';
import { overridesAfter, type ScheduleDefinition, type StoredOverride } from './definition.ts';
import { handoffs } from './plan/handoffs.ts';
import { revise } from './plan/revision.ts';
import {
  lockForPlanning,
  overridesSince,
  type PlannedSchedule,
  recordsBetween,
  saveDifference,
  savePlanned,
  shiftsSince,
  stagesToPlan,
} from './plan-store.ts';
import {
  deleteOverrides,
  insertOverrides,
  insertSchedule,
  lockSchedule,
  namesOf,
  saveStages,
  updateSchedule,
} from './store.ts';

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
  const { teamId, backstopUserId, stages, overrides } = settings;
  return [
    teamId,
    ...(backstopUserId ? [backstopUserId] : []),
    ...stages.flatMap(({ memberIds }) => memberIds),
    ...overrides.map(({ userId }) => userId),
  ];
}

/** What planning did to the rows; `gaps` are the shifts to come that nobody can take. */
export type PlanSummary = {
  plannedUntil: Temporal.Instant;
  added: number;
  changed: number;
  removed: number;
  gaps: { stage: number; startsAt: Temporal.Instant; endsAt: Temporal.Instant }[];
};

/** How far back shifts count for who owes a turn and who carried how much. */
const LEDGER = { hours: 366 * 24 };

/**
 * Plans a schedule, enabled or not, from the shift under way to `plan_ahead_weeks` from `at` (and never less far than
 * before). What has begun stays, what still holds stays; planning twice changes nothing. Somebody who turns out to be
 * away loses a shift to come where the schedule says `cover: apply`, and keeps it where it says `propose`. Locks the
 * schedule's row.
 */
export async function planSchedule(tx: Tx, at: Temporal.Instant, scheduleId: string): Promise<PlanSummary> {
  const schedule = await lockForPlanning(tx, scheduleId);
  if (!schedule) throw new Error(`there is no schedule ${scheduleId} to plan`);
  const bounds = handoffs(schedule.rhythm, schedule.timeZone, at, horizon(schedule, at));
  const since = at.subtract(LEDGER);
  const until = bounds.at(-1) ?? at;
  const stages = await stagesToPlan(tx, schedule, since);
  const userIds = new Set(stages.flatMap(({ members }) => members.map(({ userId }) => userId)));
  const { difference, gaps } = revise({
    strategy: schedule.strategy,
    restMs: schedule.restMs,
    cover: schedule.cover,
    stages,
    rows: await shiftsSince(tx, scheduleId, since),
    overrides: await overridesSince(tx, scheduleId, at),
    records: await recordsBetween(tx, [...userIds], since, until),
    handoffs: bounds.map((bound) => bound.epochMilliseconds),
    at: at.epochMilliseconds,
  });
  await saveDifference(tx, at, schedule, difference);
  await savePlanned(tx, schedule, until, stages);
  return {
    plannedUntil: until,
    added: difference.added.length,
    changed: difference.changed.length,
    removed: difference.removed.length,
    gaps: gaps.map(({ stage, from, to }) => ({ stage, startsAt: instant(from), endsAt: instant(to) })),
  };
}

function horizon(schedule: PlannedSchedule, at: Temporal.Instant): Temporal.Instant {
  const ahead = at.add({ hours: schedule.planAheadWeeks * 7 * 24 });
  const before = schedule.plannedUntil;
  return before && Temporal.Instant.compare(before, ahead) > 0 ? before : ahead;
}

function instant(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}
