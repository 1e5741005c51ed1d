import { type Static, Type } from 'typebox';

/** Kinds of time for which people are paid. Each moment on call is standby, and may also be of the other kinds. */
export const HOUR_CLASSES = ['standby', 'night', 'weekend', 'holiday'] as const;
export const HourClass = Type.Enum([...HOUR_CLASSES], { type: 'string' });
export type HourClass = Static<typeof HourClass>;

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const Days = (minItems: number) =>
  Type.Array(Type.Enum([...WEEKDAYS], { type: 'string' }), { minItems, maxItems: 7, uniqueItems: true });

const Clock = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'A local time such as 22:00.',
  examples: ['22:00'],
});
const ClockOrMidnight = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  examples: ['17:00'],
  description: 'A local time such as 17:00, or 24:00; on the next day if it is not after the start.',
});
const Rate = Type.String({
  pattern: '^[0-9]{1,6}([.][0-9]{1,4})?$',
  description: 'An amount for an hour such as 12.50, with at most four decimals.',
  examples: ['12.50'],
  'x-as-written': true,
});

const OfClasses = Type.Object(
  { standby: Rate, night: Rate, weekend: Rate, holiday: Rate },
  { additionalProperties: false },
);

const OnCall = Type.Object(OfClasses.properties, {
  additionalProperties: false,
  description: 'The rates for an hour of being on call.',
});
const CalledOut = Type.Object(
  {
    ...OfClasses.properties,
    minimum_minutes: Type.Integer({
      minimum: 0,
      maximum: 480,
      description: 'The minutes that a call-out pays at least.',
    }),
    step_minutes: Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'The step, in minutes, to which call-outs are rounded up.',
    }),
    longest_hours: Type.Integer({
      minimum: 1,
      maximum: 72,
      description: 'The most time that counts for one page, in case somebody forgets to resolve it.',
    }),
    on_call: Type.Enum(['continues', 'replaced'], {
      type: 'string',
      description: 'Whether the rate for being on call is paid as well during a call-out.',
    }),
  },
  {
    additionalProperties: false,
    description: 'The rates for an hour from acknowledging a page to its end.',
  },
);
const Night = Type.Object({ from: Clock, to: Clock }, { additionalProperties: false });

/** The most stages with their own rates in a set of rates. */
export const MOST_STAGES = 10;

export const Rates = Type.Object(
  {
    on_call: OnCall,
    called_out: CalledOut,
    stages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from_stage: Type.Number({
              minimum: 0,
              maximum: 1_000_000,
              description: 'The number of a stage, such as 2.',
            }),
            on_call: OfClasses,
          },
          { additionalProperties: false },
        ),
        {
          maxItems: MOST_STAGES,
          description:
            'Other rates for being on call in a stage and those after it, until the next entry. If left out, all stages are paid alike.',
        },
      ),
    ),
    overlap: Type.Enum(['highest', 'add'], {
      type: 'string',
      description:
        'What is paid when several classes apply at once: the `highest` rate, or with `add`, standby and the others as supplements to it.',
    }),
    night: Night,
    weekend: Days(0),
    working_hours: Type.Array(
      Type.Object({ days: Days(1), from: Clock, to: ClockOrMidnight }, { additionalProperties: false }),
      {
        maxItems: 14,
        description: 'The times that the salary pays for, except on holidays. Nothing else is paid for them.',
      },
    ),
  },
  { additionalProperties: false, title: 'PayRates' },
);
export type Rates = Static<typeof Rates>;

/** Only the given parts of rates change; `stages`, `weekend` and `working_hours` are replaced as a whole. */
export const RatesChange = Type.Partial(
  Type.Object({
    ...Rates.properties,
    on_call: Type.Partial(OnCall, { additionalProperties: false }),
    called_out: Type.Partial(CalledOut, { additionalProperties: false }),
    night: Type.Partial(Night, { additionalProperties: false }),
  }),
  { additionalProperties: false, title: 'PayRatesChange' },
);
export type RatesChange = Static<typeof RatesChange>;

export const PAY_STATES = ['draft', 'checked', 'published'] as const;
export const PayState = Type.Enum([...PAY_STATES], { type: 'string' });
export type PayState = Static<typeof PayState>;

const Day = (description: string) => Type.String({ maxLength: 10, description });
const Span = { from: Type.String(), to: Type.String() };
const Amount = Type.String({
  description: 'An exact amount with the decimals of the currency, such as `1204.50`.',
});

/** Times of one class, which have one rate and are rounded together. */
export const PayLine = Type.Object({
  kind: Type.Enum(['on_call', 'called_out'], { type: 'string' }),
  class: HourClass,
  from_stage: Type.Optional(
    Type.Number({
      description: 'The stage from which the rate applies; absent if it applies to all stages.',
    }),
  ),
  rates_from: Day('The first day of the rates.'),
  rate: Type.String(),
  milliseconds: Type.Integer({ description: 'The total length of `spans`.' }),
  amount: Amount,
  spans: Type.Array(Type.Object(Span), { description: 'The first 2,000 times that are paid in this line.' }),
});
export type PayLine = Static<typeof PayLine>;

export const CallOut = Type.Object({
  ...Span,
  pages: Type.Array(
    Type.Object(
      { id: Type.String(), title: Type.String(), ...Span },
      { description: 'The time in which the person handled the page.' },
    ),
  ),
});
export type CallOut = Static<typeof CallOut>;

export const Correction = Type.Object({
  period: Type.Object({ id: Type.String(), first: Type.String(), last: Type.String() }),
  amount: Amount,
});
export type Correction = Static<typeof Correction>;

/** The stored content of a statement: everything that explains its total. */
export const StatementContent = Type.Object({
  lines: Type.Array(PayLine),
  corrections: Type.Array(Correction, {
    description: 'The changes in earlier periods since they were published.',
  }),
  on_call: Type.Array(Type.Object({ ...Span, schedules: Type.Array(Type.String()) })),
  call_outs: Type.Array(CallOut, {
    description: 'The call-outs as they are paid: rounded up, and joined if they overlap.',
  }),
});
export type StatementContent = Static<typeof StatementContent>;
