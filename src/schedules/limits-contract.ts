import { Type } from 'typebox';
import { MOST_AVERAGE_WEEKS, USUAL_AVERAGE_WEEKS } from './average-weeks-contract.ts';
import type { Limits } from './limits.ts';

/** The names of the limits, and of the weeks of an average, in the API, in the operator's file and in the form. */
export const LIMIT_FIELDS = {
  shiftsPerWeek: 'shifts_per_week',
  shiftsPerMonth: 'shifts_per_month',
  hoursPerWeek: 'hours_per_week',
  averageHoursPerWeek: 'average_hours_per_week',
  averageWeeks: 'average_weeks',
  weeklyRestHours: 'weekly_rest_hours',
  weekendsPerMonth: 'weekends_per_month',
  weekendsInARow: 'weekends_in_a_row',
  nightsInARow: 'nights_in_a_row',
  shiftsInARow: 'shifts_in_a_row',
} as const satisfies Record<keyof Limits, string>;
export type LimitField = (typeof LIMIT_FIELDS)[keyof Limits];

const limit = (most: number) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: most }), Type.Null()], {
      description: `A whole number from 1 to ${most.toLocaleString('en-US')}, or null for any number`,
    }),
  );

const hours = (least: number, most: number, without: string) =>
  Type.Optional(
    Type.Union([Type.Number({ minimum: least, maximum: most }), Type.Null()], {
      description: `A number from ${least} to ${most}, or null for ${without}`,
    }),
  );

/** The most that one person may have in a local week or month, counted by when it begins, except for hours. */
export const LimitsBody = Type.Object(
  {
    shifts_per_week: limit(1_000),
    shifts_per_month: limit(1_000),
    hours_per_week: hours(1, 168, 'any number'),
    average_hours_per_week: hours(1, 168, 'any number'),
    average_weeks: Type.Optional(
      Type.Union([Type.Integer({ minimum: 2, maximum: MOST_AVERAGE_WEEKS }), Type.Null()], {
        description: `The number of weeks over which hours are averaged, from 2 to ${MOST_AVERAGE_WEEKS}, or null for ${USUAL_AVERAGE_WEEKS}.`,
      }),
    ),
    weekly_rest_hours: hours(1, 144, 'no weekly rest'),
    weekends_per_month: limit(5),
    weekends_in_a_row: limit(50),
    nights_in_a_row: limit(50),
    shifts_in_a_row: limit(50),
  },
  { additionalProperties: false },
);

const shown = Type.Union([Type.Number(), Type.Null()]);

export const LimitsShown = Type.Object({
  shifts_per_week: shown,
  shifts_per_month: shown,
  hours_per_week: shown,
  average_hours_per_week: shown,
  average_weeks: shown,
  weekly_rest_hours: shown,
  weekends_per_month: shown,
  weekends_in_a_row: shown,
  nights_in_a_row: shown,
  shifts_in_a_row: shown,
});
