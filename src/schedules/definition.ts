import { newId } from '../kit/typeid.ts';
import { overrideKey } from './changes.ts';
import type { Pattern } from './plan/pattern.ts';

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

export type StoredOverride = OverrideDefinition & { id: string };

/** Those asked for, or those that exist; those of the past stay, those of a stage that is gone go with it. */
export function overridesAfter(
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
