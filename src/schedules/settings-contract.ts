import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { MOST_ACKNOWLEDGE_TIMEOUT_MINUTES, MOST_ROUNDS } from './acknowledge-timeout-contract.ts';
import { ScheduleNow } from './api-contract.ts';
import { LimitsBody, LimitsShown } from './limits-contract.ts';
import { TimelineShift } from './timeline-contract.ts';
import { WORKING_TIME_NAMES } from './working-time-contract.ts';

/** What happens to published shifts that are running or to come. */
export const PublishedValue = Type.Object({
  shifts: Type.Number({ description: 'The number of published shifts.' }),
  handed_over: Type.Number({
    description: 'The number of shifts that have another person, or nobody, for most of the time.',
  }),
  within_three_days: Type.Number({ description: 'The number of those that begin within three days.' }),
  other_hours: Type.Number({
    description: 'The number of shifts that keep their person but begin or end at another time.',
  }),
  sentence: Type.String({ description: 'The numbers as a sentence.' }),
});
export type PublishedValue = Static<typeof PublishedValue>;

const members = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 });
const seats = Type.Optional(Type.Integer({ minimum: 1, maximum: 20 }));

const weight = Type.Optional(Type.Number({ minimum: 0, maximum: 100 }));
/** A whole share is 100. */
export const sharePercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'A whole number from 1 to 100.',
});

const day = Type.Optional(
  Type.Union([Type.String({ format: 'day' }), Type.Null()], {
    description: 'A date such as 2026-12-24, or null for none.',
  }),
);

/** A group of people by their ids. */
const group = Type.Array(Type.String({ maxLength: 100 }), { minItems: 2, maxItems: 500 });

/**
 * While one of `people` is on call, one of `with` is on call, too. Null or left out: everybody who is not in `with`.
 */
const OnlyWith = Type.Object(
  {
    people: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 500 }), Type.Null()]),
    ),
    with: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 500 }),
  },
  { additionalProperties: false },
);

/** The settings of one person of a schedule. */
const personRules = {
  /** At most one of the juniors, who are still learning, may be on call at a time if the schedule has this rule. */
  level: Type.Optional(
    Type.Union([Type.Enum(['junior'], { type: 'string' }), Type.Null()], {
      description: 'The level `junior`, or null for none.',
    }),
  ),
  /** These replace the limits of the schedule; null for any number. */
  limits: Type.Optional(LimitsBody),
  /** The first and the last day on which the person may be on call, in the zone of the schedule; null for any day. */
  from: day,
  until: day,
};
const never = Type.Optional(
  Type.Unknown({
    description:
      'Weekly times that the person never takes, in the zone of the schedule: `[{ "days": ["sat", "sun"], "from": "00:00", "to": "24:00" }]`.',
  }),
);
const neverShown = Type.Array(
  Type.Object({ days: Type.Array(Type.String()), from: Type.String(), to: Type.String() }),
);

export const personBody = { ...personRules, never };

const shadowDays = { from: day, until: day };
/** The first and the last day for a person who is on call to learn; null for any day. */
export const shadowBody = shadowDays;
const Shadow = Type.Object(
  {
    person: Type.String({ maxLength: 100 }),
    /** The person they learn with; null for everybody of the schedule. */
    of: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    ...shadowDays,
  },
  { additionalProperties: false },
);

/** People who share a stage and have their own pattern or time zone; null means the schedule's. */
const Layer = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, ...ONE_LINE }),
  time_zone: Type.Optional(
    Type.Union([Type.String({ format: 'time-zone' }), Type.Null()], {
      description: "An IANA time zone, or null for the schedule's.",
    }),
  ),
  shifts: Type.Optional(Type.Unknown()),
  members,
  seats,
});

const LinkedTo = Type.Object(
  {
    schedule: Type.String({ maxLength: 200 }),
    stage: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  },
  {
    additionalProperties: false,
    description: 'The ID of another schedule and one of its stages, or null for none.',
  },
);

/** In a new schedule, absent fields get their default. In an existing one, they do not change. */
export const ScheduleBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE })),
  team: Type.Optional(
    Type.String({ maxLength: 200, format: 'text', description: 'The slug or ID of its team.' }),
  ),
  description: Type.Optional(
    Type.Union([Type.String({ maxLength: 10_000, format: 'optional-text' }), Type.Null()], {
      description: 'A text of at most 10,000 characters, or null for none.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
  time_zone: Type.Optional(Type.String({ format: 'time-zone' })),
  backstop: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'The ID of a person, or null for nobody.',
    }),
  ),
  strategy: Type.Optional(Type.Enum(['fair', 'rotation'], { type: 'string' })),
  plan_ahead_weeks: Type.Optional(Type.Integer({ minimum: 1, maximum: 104 })),
  rest_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 8_760 })),
  cover: Type.Optional(Type.Enum(['propose', 'apply'], { type: 'string' })),
  /** How often an unanswered page runs through all stages before it expires. */
  rounds: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROUNDS })),
  /** Minutes until an acknowledged page of high urgency notifies again; 0 for never. */
  acknowledge_timeout_minutes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES }),
  ),
  /** The same for pages of medium and of low urgency. */
  ask_again_medium_minutes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES }),
  ),
  ask_again_low_minutes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES }),
  ),
  /** On public holidays, either shifts weigh more or nobody is on call. */
  holidays: Type.Optional(Type.Enum(['weight', 'uncovered'], { type: 'string' })),
  /** How many times as much as usual these count in equal shares; 0: not at all. */
  weights: Type.Optional(
    Type.Object({ night: weight, weekend: weight, holiday: weight }, { additionalProperties: false }),
  ),
  /** What one person may have at most; null for any number. */
  limits: Type.Optional(LimitsBody),
  /** Uses the rest and the weekly hours of this law if the body does not name them. */
  working_time: Type.Optional(Type.Enum(WORKING_TIME_NAMES, { type: 'string' })),
  /** At most one junior is on call at a time, in all stages and seats. */
  never_two_juniors: Type.Optional(Type.Boolean()),
  /** Ids of people: at most one of each group is on call at a time, in all stages and seats. */
  never_together: Type.Optional(Type.Array(group, { maxItems: 50 })),
  /** Who is on call only together with others, by the ids of people. */
  only_with: Type.Optional(Type.Array(OnlyWith, { maxItems: 50 })),
  /** Who is on call to learn. They get quiet notices of pages, and never count as cover. */
  shadows: Type.Optional(Type.Array(Shadow, { maxItems: 100 })),
  /** Whether simultaneous shifts in other schedules matter. */
  elsewhere: Type.Optional(Type.Enum(['allow', 'avoid', 'never'], { type: 'string' })),
  /** Whether rest, limits and shares count shifts in other schedules of the organization. */
  count_elsewhere: Type.Optional(Type.Boolean()),
  /**
   * An absence of less than a tenth of a shift, and at most this many hours, is left to a cover. With 0, no absence is.
   */
  small_absence_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 168 })),
  /** How large a share of the load people have, in percent. People who are left out have a whole share. */
  shares: Type.Optional(
    Type.Array(
      Type.Object(
        { person: Type.String({ maxLength: 100 }), percent: sharePercent },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
  ),
  /** The settings of single people. People who are left out are planned like all others. */
  people: Type.Optional(
    Type.Array(
      Type.Object(
        { person: Type.String({ maxLength: 100 }), ...personBody },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
  ),
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
        /**
         * The stage of another schedule whose people answer here instead of members; null for none. Absent: the existing stage
         * of this number keeps its link unless members or layers are given.
         */
        linked_to: Type.Optional(Type.Union([LinkedTo, Type.Null()])),
      }),
      { minItems: 1, maxItems: 50, description: 'A list of at least one stage.' },
    ),
  ),
});
export type ScheduleBody = Static<typeof ScheduleBody>;

const LayerSettings = Type.Object({
  name: Type.String(),
  time_zone: Type.Union([Type.String(), Type.Null()]),
  shifts: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  shifts_text: Type.Union([Type.String(), Type.Null()]),
  members: Type.Array(Person),
  seats: Type.Number(),
});
export type LayerSettings = Static<typeof LayerSettings>;

export const StageSettings = Type.Object({
  stage: Type.Number(),
  members: Type.Array(Person),
  escalate_after_minutes: Type.Number(),
  seats: Type.Number(),
  layers: Type.Array(LayerSettings, {
    description: 'The layers of the stage; empty if all members follow the schedule’s pattern.',
  }),
  linked_to: Type.Union(
    [Type.Object({ schedule: Type.String(), name: Type.String(), stage: Type.Number() }), Type.Null()],
    { description: 'The stage of another schedule whose people answer here; such a stage has no members.' },
  ),
});
export type StageSettings = Static<typeof StageSettings>;

const Warnings = Type.Array(Type.String(), {
  description: 'The settings that are stored but have no effect, such as limits of a rotation.',
});

/** A schedule with all of its settings. */
export const ScheduleSettings = Type.Object({
  id: Type.String(),
  name: Type.String(),
  team: Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
  }),
  description: Type.Union([Type.String(), Type.Null()]),
  enabled: Type.Boolean(),
  time_zone: Type.String(),
  backstop: Type.Union([Person, Type.Null()]),
  strategy: Type.Enum(['fair', 'rotation'], { type: 'string' }),
  plan_ahead_weeks: Type.Number(),
  rest_hours: Type.Number(),
  cover: Type.Enum(['propose', 'apply'], { type: 'string' }),
  rounds: Type.Integer({
    description: 'The number of times that an unanswered page runs through all stages before it expires.',
  }),
  acknowledge_timeout_minutes: Type.Number(),
  ask_again_medium_minutes: Type.Number(),
  ask_again_low_minutes: Type.Number(),
  holidays: Type.Enum(['weight', 'uncovered'], { type: 'string' }),
  weights: Type.Object({
    night: Type.Number(),
    weekend: Type.Number(),
    holiday: Type.Number(),
  }),
  limits: LimitsShown,
  never_two_juniors: Type.Boolean({
    description: 'Whether at most one junior is on call at a time.',
  }),
  never_together: Type.Array(Type.Array(Type.String()), {
    description: 'Groups of IDs of people, of each of which at most one person is on call at a time.',
  }),
  only_with: Type.Array(
    Type.Object({
      people: Type.Union([Type.Array(Type.String()), Type.Null()]),
      with: Type.Array(Type.String()),
    }),
    {
      description:
        'Rules with IDs of people: while one of `people` (or anybody else, if null) is on call, one of `with` must be on call, too.',
    },
  ),
  shadows: Type.Array(
    Type.Object({
      person: Type.String(),
      of: Type.Union([Type.String(), Type.Null()]),
      from: Type.Union([Type.String(), Type.Null()]),
      until: Type.Union([Type.String(), Type.Null()]),
    }),
    {
      description:
        'The people who are on call to learn, the person with whom they learn (null for everybody), and the days.',
    },
  ),
  elsewhere: Type.Enum(['allow', 'avoid', 'never'], { type: 'string' }),
  count_elsewhere: Type.Boolean({
    description: 'Whether rest, limits and shares count shifts in other schedules of the organization.',
  }),
  small_absence_hours: Type.Number(),
  shares: Type.Array(Type.Object({ person: Type.String(), percent: Type.Integer() }), {
    description: 'The shares, by the ID of the person. People who are not listed have a whole share.',
  }),
  people: Type.Array(Type.Object({ person: Type.String(), ...personRules, never: neverShown }), {
    description:
      'The settings of single people, by their ID. Limits that are not set here are those of the schedule.',
  }),
  shifts: Type.Record(Type.String(), Type.Unknown()),
  shifts_text: Type.String({
    description: 'The pattern in words, such as `every week, hand-off Monday 09:00`.',
  }),
  stages: Type.Array(StageSettings),
  links: Type.Array(
    Type.Object({
      schedule: Type.String(),
      name: Type.String(),
      stage: Type.Number(),
      target: Type.Number(),
    }),
    {
      description:
        'The stages of other schedules that link to this one, each with the stage that it links to (`target`).',
    },
  ),
  warnings: Warnings,
  planned_until: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'The time until which shifts are planned; null before the first plan.',
  }),
  created_at: Type.String(TIME),
  updated_at: Type.String(TIME),
  may_manage: Type.Boolean(),
});
export type ScheduleSettings = Static<typeof ScheduleSettings>;

/** What saving changes; a preview and the save itself give the same answer. */
export const ScheduleChanges = Type.Object({
  changes: Type.Array(Type.String(), { description: 'The differences, as sentences.' }),
  published: PublishedValue,
  draft_follows: Type.Boolean({
    description:
      'Whether members, their order or hours have changed, so that a draft follows if a new plan is better.',
  }),
  warnings: Warnings,
});
export type ScheduleChanges = Static<typeof ScheduleChanges>;

export const ScheduleSaved = Type.Object({
  ...ScheduleSettings.properties,
  ...ScheduleChanges.properties,
});
export type ScheduleSaved = Static<typeof ScheduleSaved>;

export const ScheduleListed = Type.Object({
  ...ScheduleNow.properties,
  team: Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
  }),
  enabled: Type.Boolean(),
  time_zone: Type.String(),
  mine: Type.Boolean({ description: 'Whether the viewer is a member of its team.' }),
  planned_until: Type.Union([Type.String(TIME), Type.Null()]),
});
export type ScheduleListed = Static<typeof ScheduleListed>;

/** Every schedule of the organization, those of the viewer's teams first. */
export const ScheduleOverview = Type.Object({
  schedules: Type.Array(ScheduleListed),
  may_make_for: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
    }),
    { description: 'The teams for which the viewer may create a schedule.' },
  ),
});
export type ScheduleOverview = Static<typeof ScheduleOverview>;

const ForecastBody = Type.Object({
  shifts: Type.Unknown(),
  time_zone: Type.String({ format: 'time-zone' }),
});
export type ForecastBody = Static<typeof ForecastBody>;

const Forecast = Type.Object({
  text: Type.String({ description: 'The pattern in words.' }),
  handoffs: Type.Array(Type.String(TIME), {
    description: 'The coming hand-offs, of which the first one is the start of the shift in progress.',
  }),
});
export type Forecast = Static<typeof Forecast>;

const FirstShifts = Type.Object({
  refused: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the schedule could not be created, as sentences; then there are no shifts.',
  }),
  shifts: Type.Array(Type.Pick(TimelineShift, ['stage', 'seat', 'starts_at', 'ends_at', 'person']), {
    description: 'The shifts of the first four weeks, by start, stage and seat, from the one in progress on.',
  }),
});
export type FirstShifts = Static<typeof FirstShifts>;

export const schedulesApi = {
  list: endpoint('GET /api/schedules', {
    summary: 'List schedules',
    description: 'Lists all schedules of the organization, those of your teams first.',
    response: ScheduleOverview,
  }),
  create: endpoint('POST /api/schedules', {
    summary: 'Create a schedule',
    body: ScheduleBody,
    response: ScheduleSaved,
    status: [201],
  }),
  forecast: endpoint('POST /api/schedules/forecast', {
    summary: 'Show the coming hand-offs of a pattern',
    description: 'Calculates the outcome and saves nothing.',
    body: ForecastBody,
    response: Forecast,
  }),
  firstShifts: endpoint('POST /api/schedules/first-shifts', {
    summary: 'Show the first shifts of a new schedule',
    description: 'Plans the schedule as it would be created, and saves nothing. The name is not needed.',
    body: ScheduleBody,
    response: FirstShifts,
  }),
  find: endpoint('GET /api/schedules/:id', {
    summary: 'Show a schedule with all of its settings',
    response: ScheduleSettings,
  }),
  change: endpoint('PATCH /api/schedules/:id', {
    summary: 'Change a schedule',
    description: 'Changes only the fields that are given.',
    body: ScheduleBody,
    response: ScheduleSaved,
  }),
  preview: endpoint('POST /api/schedules/:id/preview', {
    summary: 'Show what a change of a schedule would do',
    description: 'Calculates the outcome and saves nothing.',
    body: ScheduleBody,
    response: ScheduleChanges,
  }),
  remove: endpoint('DELETE /api/schedules/:id', {
    summary: 'Delete a schedule',
    description: 'Deletes a disabled schedule. Answers 409 while it is enabled.',
    response: Type.Object({ deleted: Type.Boolean() }),
  }),
};
