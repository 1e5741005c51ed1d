import { type Static, Type } from 'typebox';
import { EMAIL, PUBLISHED, TIME } from '../kit/published-contract.ts';
import { PUBLISHED_TYPES } from '../notifications/channels/contract.ts';

/** Paths and schemas of the public API. The only file of this room that the dashboard may import. */

export const SCHEDULES_PATH = '/schedules';

export function oncallsPath(scheduleId: string): string {
  return `${SCHEDULES_PATH}/${scheduleId}/oncalls`;
}

/** The longest time range of one answer. */
export const MAX_RANGE_DAYS = 366;

const timestamp = (description: string) =>
  Type.String({ ...TIME, description, examples: ['2026-12-24T08:00:00.000Z'] });
const page = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  default: 1,
  description: 'The number of the page, from 1.',
});

export const ScheduleQuery = Type.Object({
  name_eq: Type.Optional(
    Type.String({
      maxLength: 1_000,
      format: 'optional-text',
      description: 'Only schedules of exactly this name.',
    }),
  ),
  page,
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
});
export type ScheduleQuery = Static<typeof ScheduleQuery>;

export const Schedule = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When its definition was changed last.'),
    description: Type.Union([Type.String(), Type.Null()]),
    enabled: Type.Boolean({ description: 'Whether pages of its team notify the people on call.' }),
    backstop: Type.Union(
      [Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(EMAIL) }), Type.Null()],
      { description: 'Who is paged when nobody else answers.' },
    ),
  },
  { title: 'Schedule' },
);
export type Schedule = Static<typeof Schedule>;

const Warnings = Type.Optional(
  Type.Array(Type.String(), { description: 'Unknown parameters, which were ignored.' }),
);

export const ScheduleList = Type.Object(
  {
    page: Type.Integer(),
    per_page: Type.Integer(),
    has_more: Type.Boolean(),
    total_pages: Type.Integer(),
    total_count: Type.Integer(),
    results: Type.Array(Schedule),
    warnings: Warnings,
  },
  { title: 'ScheduleList' },
);
export type ScheduleList = Static<typeof ScheduleList>;

export const OncallQuery = Type.Object({
  time_range: Type.Optional(
    Type.Object(
      {
        start: Type.Optional(Type.String({ format: 'instant' })),
        end: Type.Optional(Type.String({ format: 'instant' })),
      },
      {
        description: `The start and the end of a range of at most ${MAX_RANGE_DAYS} days. Without a range, the answer is about now. In a query or form, time_range[start] and time_range[end]. Times without an offset are UTC.`,
        [PUBLISHED]: { required: ['start', 'end'] },
      },
    ),
  ),
  page,
  per_page: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export type OncallQuery = Static<typeof OncallQuery>;

/** A person on call, and how to reach them. */
export const OncallUser = Type.Object({
  name: Type.String(),
  email: Type.String(EMAIL),
  contact_methods: Type.Array(
    Type.Object({
      type: Type.Enum(PUBLISHED_TYPES, { type: 'string' }),
      value: Type.String(),
      chat_user_id: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'For type `chat`, the ID of the account in the chat service.',
        }),
      ),
    }),
    { description: "The verified contact methods, in the person's own order." },
  ),
});
export type OncallUser = Static<typeof OncallUser>;

export const Oncall = Type.Object(
  {
    schedule_id: Type.String(),
    stage: Type.Number({
      description: 'The number of the stage, a decimal. Stages are paged in ascending order.',
    }),
    start_time: timestamp('When the shift begins, which may be before the requested time.'),
    end_time: timestamp('When the shift ends.'),
    user: OncallUser,
  },
  { title: 'Oncall' },
);
export type Oncall = Static<typeof Oncall>;

export const OncallList = Type.Object(
  { has_more: Type.Boolean(), oncalls: Type.Array(Oncall), warnings: Warnings },
  { title: 'OncallList' },
);
export type OncallList = Static<typeof OncallList>;
