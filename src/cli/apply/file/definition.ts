import type { HolidayDay } from '../../../calendars/api-contract.ts';
import type { WrittenType } from '../../../notifications/channels/contract.ts';
import type { Role, Rule } from '../../../people/contract.ts';
import type { Pattern } from '../../../schedules/pattern.ts';
import type { Placed } from './place.ts';
import type { PlanningEntry } from './read-planning.ts';

/**
 * What the file says. A field that is undefined was not mentioned, so what exists stays; emails are kept as written
 * and compared without case.
 */
export type FileDefinition = {
  organization: { name: Placed<string> | undefined; timeZone: string | undefined };
  users: UserEntry[];
  teams: TeamEntry[];
  schedules: ScheduleEntry[];
  availabilities: AvailabilityEntry[];
};

export type UserEntry = {
  email: Placed<string>;
  name: string | undefined;
  username: Placed<string> | undefined;
  role: Role | undefined;
  timeZone: string | undefined;
  contactMethods: MethodEntry[] | undefined;
  /** All rules of the person; those of an urgency that is not mentioned are the defaults. */
  rules: Rule[] | undefined;
};

export type MethodEntry = {
  type: WrittenType;
  value: string;
  chatUserId: string | null;
  /** `whsec_…`; undefined: keep the one there is, or make one. */
  signingSecret: string | undefined;
};

export type TeamEntry = {
  slug: Placed<string>;
  name: string | undefined;
  members: Placed<string>[] | undefined;
};

export type HolidaysEntry = {
  use: 'weight' | 'uncovered' | undefined;
  /** Of a list that is read from there; or the days of a list themselves. */
  url: string | undefined;
  days: HolidayDay[] | undefined;
};

export type LayerEntry = {
  name: string;
  members: Placed<string>[];
  timeZone: string | undefined;
  pattern: Pattern | undefined;
  seats: number;
};

export type StageEntry = {
  stage: Placed<number>;
  members: Placed<string>[];
  escalateAfterSeconds: number;
  seats: number;
  /** Empty: the stage goes by the schedule's pattern. */
  layers: LayerEntry[];
};

export type OverrideEntry = {
  stage: Placed<number>;
  user: Placed<string>;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

export type ScheduleEntry = {
  name: Placed<string>;
  team: Placed<string> | undefined;
  /** Null: to be taken away. */
  description: string | null | undefined;
  enabled: boolean | undefined;
  timeZone: string | undefined;
  backstop: Placed<string> | null | undefined;
  strategy: 'fair' | 'rotation' | undefined;
  planAheadWeeks: number | undefined;
  restHours: number | undefined;
  acknowledgeTimeoutMinutes: number | undefined;
  cover: 'propose' | 'apply' | undefined;
  holidays: HolidaysEntry | undefined;
  planning: PlanningEntry;
  pattern: Pattern | undefined;
  stages: StageEntry[] | undefined;
  overrides: OverrideEntry[] | undefined;
};

export type AvailabilityEntry = {
  user: Placed<string>;
  type: 'hard_unavailable' | 'soft_unavailable' | 'requested';
  name: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};
