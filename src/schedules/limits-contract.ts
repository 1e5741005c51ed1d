import { Type } from 'typebox';
import type { LimitName } from './limits.ts';

/** The names of the limits in the API, in the operator's file and in the form. */
export const LIMIT_FIELDS = {
  shiftsPerWeek: 'shifts_per_week',
  shiftsPerMonth: 'shifts_per_month',
  hoursPerWeek: 'hours_per_week',
  weekendsPerMonth: 'weekends_per_month',
  weekendsInARow: 'weekends_in_a_row',
  nightsInARow: 'nights_in_a_row',
  shiftsInARow: 'shifts_in_a_row',
} as const satisfies Record<LimitName, string>;
export type LimitField = (typeof LIMIT_FIELDS)[LimitName];

const limit = (most: number) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: most }), Type.Null()], {
      description: `a whole number from 1 to ${most.toLocaleString('en-US')}, or null for any number`,
    }),
  );

/** What one person may have at most; in a local week or month, by when it begins, except hours. */
export const LimitsBody = Type.Object(
  {
    shifts_per_week: limit(1_000),
    shifts_per_month: limit(1_000),
    hours_per_week: Type.Optional(
      Type.Union([Type.Number({ minimum: 1, maximum: 168 }), Type.Null()], {
        description: 'a number from 1 to 168, or null for any number',
      }),
    ),
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
  weekends_per_month: shown,
  weekends_in_a_row: shown,
  nights_in_a_row: shown,
  shifts_in_a_row: shown,
});
