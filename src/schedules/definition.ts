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
