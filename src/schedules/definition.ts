import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { overrideKey } from './changes.ts';
import type { Pattern } from './pattern.ts';
import type { PlanRules } from './rules.ts';

/** People who share a stage with others but have a pattern of their own, such as the European part of the day. */
export type LayerDefinition = {
  name: string;
  /** IANA name; null for the schedule's. */
  timeZone: string | null;
  /** Null: the schedule's. */
  pattern: Pattern | null;
  seats: number;
  /** In the order of the rotation. */
  memberIds: string[];
};

/** The stage of another schedule that a stage is linked to. */
export type StageLink = { scheduleId: string; stage: number };

export type StageDefinition = {
  /** A decimal number; stages are notified in ascending order. */
  stage: number;
  escalateAfterSeconds: number;
  /** How many people are on call in this stage at once. */
  seats: number;
  /** In the order of the rotation. */
  memberIds: string[];
  /** With layers, `seats` is the sum of theirs, and `memberIds` are all of their members. */
  layers?: readonly LayerDefinition[];
  /** The stage of another schedule whose people answer here; such a stage has no members. */
  linkedTo?: StageLink | null;
};

/** A stage whose seats and members are those of its layers, if it has any; a linked stage has neither. */
export function wholeStage(stage: StageDefinition): StageDefinition {
  const { layers, linkedTo, ...own } = stage;
  if (linkedTo) return { ...own, linkedTo, seats: 1, memberIds: [] };
  if (!layers?.length) return own;
  return {
    ...own,
    layers,
    seats: layers.reduce((sum, { seats }) => sum + seats, 0),
    memberIds: [...new Set(layers.flatMap(({ memberIds }) => memberIds))],
  };
}

/** An enabled schedule answers pages and so needs somebody. A schedule that already had nobody is accepted. */
export function isEnabledWithNobody(
  after: Pick<ScheduleDefinition, 'enabled' | 'stages'>,
  before: Pick<ScheduleDefinition, 'enabled' | 'stages'> | null,
): boolean {
  const hasNobody = ({ enabled, stages }: typeof after) =>
    enabled && stages.every(({ memberIds, linkedTo }) => memberIds.length === 0 && !linkedTo);
  return hasNobody(after) && !(before && hasNobody(before));
}

export function withNobody(): string {
  return t(
    'is true, but no stage has a member, so nobody would be paged; add somebody to a stage, or give false',
  );
}

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
  /** The least time between two shifts of one person. */
  restHours: number;
  cover: 'propose' | 'apply';
  /**
   * How often an unanswered page runs through all stages before it expires. Default: unchanged, or the usual number.
   */
  rounds?: number;
  /**
   * Minutes until an acknowledged page of high urgency notifies again, 0 for never. Default: unchanged, or the usual
   * time.
   */
  acknowledgeTimeoutMinutes?: number;
  /** The same for pages of medium and of low urgency. Default: unchanged, or 0. */
  askAgainMediumMinutes?: number;
  askAgainLowMinutes?: number;
  pattern: Pattern;
  /** On holidays, either shifts weigh more or nobody is on call. Default: unchanged, or `weight`. */
  holidays?: 'weight' | 'uncovered';
  /** Default: unchanged, or the usual rules. */
  planning?: PlanRules;
  stages: StageDefinition[];
  /** Null leaves existing overrides as they are. */
  overrides: OverrideDefinition[] | null;
};

export type StoredOverride = OverrideDefinition & { id: string };

/** The given or existing overrides, and past ones. Overrides of removed stages are dropped. */
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
