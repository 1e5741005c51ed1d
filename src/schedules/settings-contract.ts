import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import type { Person } from '../people/contract.ts';
import { MOST_ACKNOWLEDGE_TIMEOUT_MINUTES } from './acknowledge-timeout-contract.ts';
import type { ScheduleNow } from './api-contract.ts';

/** What happens to published shifts that are running or to come. */
export type PublishedValue = {
  /** The number of published shifts. */
  shifts: number;
  /** How many of them another person, or nobody, has for most of the time. */
  handed_over: number;
  /** How many of those begin within three days. */
  within_three_days: number;
  /** How many keep their person but begin or end at another time. */
  other_hours: number;
  /** The same as a sentence. */
  sentence: string;
};

/**
 * Requests and answers for listing, creating and changing schedules. Times are ISO 8601 in UTC.
 *
 * GET    /api/schedules               → `ScheduleOverview`
 * POST   /api/schedules               `ScheduleBody` → 201 `ScheduleSaved`
 * POST   /api/schedules/forecast      `ForecastBody` → `Forecast`: the coming hand-offs of a pattern; saves nothing
 * GET    /api/schedules/:id           → `ScheduleSettings`
 * PATCH  /api/schedules/:id           `ScheduleBody`, absent fields stay as they are → `ScheduleSaved`
 * POST   /api/schedules/:id/preview   `ScheduleBody` → `ScheduleChanges`: what saving would change; saves nothing
 * DELETE /api/schedules/:id           → `{ deleted: true }`; 409 while it is enabled
 */

const members = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 });
const seats = Type.Optional(Type.Integer({ minimum: 1, maximum: 20 }));

const weight = Type.Optional(Type.Number({ minimum: 0, maximum: 100 }));
const limit = Type.Optional(
  Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], {
    description: 'a whole number from 1 to 1,000, or null for any number',
  }),
);

/** People who share a stage with a pattern or time zone of their own; null means the schedule's. */
const Layer = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, ...ONE_LINE }),
  time_zone: Type.Optional(
    Type.Union([Type.String({ format: 'time-zone' }), Type.Null()], {
      description: "an IANA time zone, or null for the schedule's",
    }),
  ),
  shifts: Type.Optional(Type.Unknown()),
  members,
  seats,
});

/** Absent fields take their default in a new schedule, and stay as they are in an existing one. */
export const ScheduleBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE })),
  team: Type.Optional(
    Type.String({ maxLength: 200, format: 'text', description: "its team's slug or identifier" }),
  ),
  description: Type.Optional(
    Type.Union([Type.String({ maxLength: 10_000, format: 'optional-text' }), Type.Null()], {
      description: 'a text of at most 10,000 characters, or null for none',
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
  time_zone: Type.Optional(Type.String({ format: 'time-zone' })),
  backstop: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: "somebody's identifier, or null for nobody",
    }),
  ),
  strategy: Type.Optional(Type.Enum(['fair', 'rotation'], { type: 'string' })),
  plan_ahead_weeks: Type.Optional(Type.Integer({ minimum: 1, maximum: 104 })),
  rest_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 8_760 })),
  cover: Type.Optional(Type.Enum(['propose', 'apply'], { type: 'string' })),
  /** Minutes until an acknowledged page of high urgency notifies again; 0 for never. */
  acknowledge_timeout_minutes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES }),
  ),
  /** On public holidays, shifts weigh more, or nobody is on call. */
  holidays: Type.Optional(Type.Enum(['weight', 'uncovered'], { type: 'string' })),
  /** How many times as much as usual these count in equal shares; 0: not at all. */
  weights: Type.Optional(Type.Object({ night: weight, weekend: weight, holiday: weight })),
  /** The most shifts of one person that may begin in a week or month; null for any number. */
  limits: Type.Optional(Type.Object({ shifts_per_week: limit, shifts_per_month: limit })),
  /** Whether simultaneous shifts in other schedules matter. */
  elsewhere: Type.Optional(Type.Enum(['allow', 'avoid', 'never'], { type: 'string' })),
  /** An absence of less than a tenth of a shift, and at most this many hours, is left to a cover; 0: no absence is. */
  small_absence_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 168 })),
  /** A pattern as in the operator's file, such as `{ "every": "week", "handoff": "Monday 09:00" }`. */
  shifts: Type.Optional(Type.Unknown()),
  stages: Type.Optional(
    Type.Array(
      Type.Object({
        stage: Type.Number({ minimum: 0, maximum: 1_000_000 }),
        /** Ids of people in the order of the rotation; ignored if the stage has layers. */
        members: Type.Optional(members),
        escalate_after_minutes: Type.Optional(Type.Number({ minimum: 0.01, maximum: 10_080 })),
        seats,
        /** Absent: the existing stage of this number keeps its layers. Empty: no layers. */
        layers: Type.Optional(Type.Array(Layer, { maxItems: 20 })),
      }),
      { minItems: 1, maxItems: 50, description: 'a list of at least one stage' },
    ),
  ),
});
export type ScheduleBody = Static<typeof ScheduleBody>;

export type StageSettings = {
  stage: number;
  members: Person[];
  escalate_after_minutes: number;
  seats: number;
  /** Empty if all members follow the schedule's pattern. */
  layers: LayerSettings[];
};
export type LayerSettings = {
  name: string;
  time_zone: string | null;
  shifts: Record<string, unknown> | null;
  shifts_text: string | null;
  members: Person[];
  seats: number;
};

/** A schedule with all of its settings. */
export type ScheduleSettings = {
  id: string;
  name: string;
  team: { id: string; name: string; slug: string };
  description: string | null;
  enabled: boolean;
  time_zone: string;
  backstop: Person | null;
  strategy: 'fair' | 'rotation';
  plan_ahead_weeks: number;
  rest_hours: number;
  cover: 'propose' | 'apply';
  acknowledge_timeout_minutes: number;
  holidays: 'weight' | 'uncovered';
  weights: { night: number; weekend: number; holiday: number };
  limits: { shifts_per_week: number | null; shifts_per_month: number | null };
  elsewhere: 'allow' | 'avoid' | 'never';
  small_absence_hours: number;
  shifts: Record<string, unknown>;
  /** The pattern in words: `every week, hand-off Monday 09:00`. */
  shifts_text: string;
  stages: StageSettings[];
  /** Null before the first plan. */
  planned_until: string | null;
  created_at: string;
  updated_at: string;
  may_manage: boolean;
};

/** What saving changes; a preview and the save itself give the same answer. */
export type ScheduleChanges = {
  /** The differences, a sentence each. */
  changes: string[];
  published: PublishedValue;
  /** Members, their order or hours have changed: if a new plan would be better, a draft of it follows. */
  draft_follows: boolean;
};

export type ScheduleSaved = ScheduleSettings & ScheduleChanges;

/** Every schedule of the organization, those of the viewer's teams first. */
export type ScheduleOverview = {
  schedules: ScheduleListed[];
  /** Teams for which the viewer may create a schedule. */
  may_make_for: { id: string; name: string; slug: string }[];
};
export type ScheduleListed = ScheduleNow & {
  team: { id: string; name: string; slug: string };
  enabled: boolean;
  time_zone: string;
  /** Whether the viewer is a member of its team. */
  mine: boolean;
  planned_until: string | null;
};

export const ForecastBody = Type.Object({
  shifts: Type.Unknown(),
  time_zone: Type.String({ format: 'time-zone' }),
});
export type ForecastBody = Static<typeof ForecastBody>;

export type Forecast = {
  /** The pattern in words. */
  text: string;
  /** The first is the start of the running shift. */
  handoffs: string[];
};
