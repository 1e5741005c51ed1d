import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { PayState, Rates, RatesChange, StatementContent } from './contract.ts';

/** The most rate tables of an organization, of versions of the rates of each, and of assignments of a person. */
export const MOST_TABLES = 50;
export const MOST_VERSIONS = 60;
export const MOST_ASSIGNMENTS = 60;
/** The most days of a period, and the most periods that are not published yet. */
export const LONGEST_PERIOD = 92;
export const MOST_OPEN_PERIODS = 12;

const Name = Type.String({ minLength: 1, maxLength: 80, ...ONE_LINE });
const Day = Type.String({ format: 'day', maxLength: 10, description: 'A date such as 2026-12-01.' });
const Id = Type.String({ minLength: 1, maxLength: 100, format: 'text' });

export const TableRef = Type.Object({
  id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  time_zone: Type.String({
    description: 'The time zone that decides what is a night, a weekend or a holiday.',
  }),
});
export type TableRef = Static<typeof TableRef>;

export const VersionShown = Type.Object({
  from: Type.String(),
  until: Nullable(Type.String(), 'The last day of the rates; null if they apply until the next rates begin.'),
  rates: Rates,
});
export type VersionShown = Static<typeof VersionShown>;

export const PayTableShown = Type.Object(
  {
    ...TableRef.properties,
    country: Nullable(
      Type.String(),
      "The country whose public holidays count; null for the organization's lists of holidays.",
    ),
    region: Nullable(Type.String()),
    default: Type.Boolean(),
    people: Type.Integer({
      description:
        'The number of people who are assigned to it today. The default also applies to all others.',
    }),
    versions: Type.Array(VersionShown, { description: 'The rates, earliest first.' }),
  },
  { title: 'PayTable' },
);
export type PayTableShown = Static<typeof PayTableShown>;

const tableFields = {
  name: Name,
  time_zone: Type.String({ maxLength: 100, format: 'time-zone' }),
  country: Nullable(
    Type.String({ minLength: 2, maxLength: 10 }),
    "The country whose public holidays count, such as DE; null for the organization's lists of holidays.",
  ),
  region: Nullable(
    Type.String({ minLength: 1, maxLength: 20 }),
    'The region of the country, such as BY; null for none.',
  ),
  default: Type.Boolean({ description: 'Whether it applies to everybody who has no other table.' }),
};

export const NewPayTableBody = Type.Object({
  name: tableFields.name,
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'A currency of ISO 4217, such as EUR.' }),
  time_zone: Type.Optional(tableFields.time_zone),
  country: Type.Optional(tableFields.country),
  region: Type.Optional(tableFields.region),
  default: Type.Optional(tableFields.default),
});
export type NewPayTableBody = Static<typeof NewPayTableBody>;

export const PayTableChangeBody = Type.Object({
  name: Type.Optional(tableFields.name),
  time_zone: Type.Optional(tableFields.time_zone),
  country: Type.Optional(tableFields.country),
  region: Type.Optional(tableFields.region),
  default: Type.Optional(tableFields.default),
});
export type PayTableChangeBody = Static<typeof PayTableChangeBody>;

export const PayPerson = Type.Object({
  person: Person,
  table: Nullable(TableRef, 'The rate table by which the person is paid today; null if they are not paid.'),
  assignments: Type.Array(Type.Object({ from: Type.String(), table: Nullable(TableRef) }), {
    description: 'The assignments, earliest first. Before the first one, the default table applies.',
  }),
});
export type PayPerson = Static<typeof PayPerson>;

export const Period = Type.Object(
  {
    id: Type.String(),
    first: Type.String(),
    last: Type.String(),
    state: PayState,
    over: Type.Boolean({
      description: 'Whether it has ended in every time zone, so that it can be checked.',
    }),
    created_by: Nullable(Person),
    checked_by: Nullable(Person),
    checked_at: Nullable(Type.String(TIME)),
    published_by: Nullable(Person),
    published_at: Nullable(Type.String(TIME)),
  },
  { title: 'PayPeriod' },
);
export type Period = Static<typeof Period>;

export const StatementSummary = Type.Object({
  person: Person,
  table: TableRef,
  milliseconds: Type.Integer({
    description: 'The hours on call, each counted once, including working hours, which are not paid.',
  }),
  called_out_milliseconds: Type.Integer(),
  amount: Type.String({
    description: 'The amount for the period itself, without corrections of earlier periods.',
  }),
  corrected: Type.String({
    description: 'The amount by which earlier periods have changed since they were published.',
  }),
  total: Type.String(),
});
export type StatementSummary = Static<typeof StatementSummary>;

export const Statement = Type.Object(
  { ...StatementSummary.properties, ...StatementContent.properties },
  { title: 'PayStatement' },
);
export type Statement = Static<typeof Statement>;

export const ChangeSince = Type.Object({
  person: Person,
  table: TableRef,
  published: Type.String({
    description: 'The amount with the corrections that later periods have published.',
  }),
  now: Type.String(),
  difference: Type.String(),
});
export type ChangeSince = Static<typeof ChangeSince>;

export const Unpriced = Type.Object({
  person: Person,
  milliseconds: Type.Integer(),
  from: Type.String(TIME),
});
export type Unpriced = Static<typeof Unpriced>;

export const PeriodDetail = Type.Object({
  ...Period.properties,
  figures: Type.String({
    description:
      'A digest of all amounts. Send it when you mark the period as checked, so that you check exactly what you saw.',
  }),
  statements: Type.Array(StatementSummary, {
    description: 'The statements, sorted by the name of the person.',
  }),
  totals: Type.Array(Type.Object({ currency: Type.String(), total: Type.String() })),
  unpriced: Type.Array(Unpriced, {
    description: 'Times for which no rates apply; they keep a draft from being checked.',
  }),
  changed: Type.Array(ChangeSince, {
    description:
      'What has changed since the period was checked or published. After publishing, the next period corrects it.',
  }),
  incomplete: Type.Boolean({
    description:
      'Whether pages or shifts of this draft are so old that they have been deleted, so that its amounts may be too low.',
  }),
  may_manage: Type.Boolean(),
});
export type PeriodDetail = Static<typeof PeriodDetail>;

export const payApi = {
  tables: endpoint('GET /api/pay/tables', {
    summary: 'List rate tables',
    response: Type.Object({ tables: Type.Array(PayTableShown) }),
  }),
  createTable: endpoint('POST /api/pay/tables', {
    summary: 'Create a rate table',
    description: `Creates a table whose currency cannot change later. The first table is the default. An organization has at most ${MOST_TABLES}.`,
    body: NewPayTableBody,
    response: PayTableShown,
    status: [201],
  }),
  changeTable: endpoint('PATCH /api/pay/tables/:id', {
    summary: 'Change a rate table',
    body: PayTableChangeBody,
    response: PayTableShown,
  }),
  removeTable: endpoint('DELETE /api/pay/tables/:id', {
    summary: 'Delete a rate table',
    description:
      'Deletes a table that has never been used. The request is refused if somebody is assigned to the table or was paid by it.',
    response: Type.Object({ removed: Type.Boolean() }),
  }),
  putRates: endpoint('PUT /api/pay/tables/:id/rates/:from', {
    summary: 'Set the rates of a table from a day on',
    description: `Replaces the rates that begin on that day, unless \`only_new\` is true. A table has rates from at most ${MOST_VERSIONS} days on.`,
    body: Type.Object({
      until: Type.Optional(Nullable(Day)),
      rates: Rates,
      only_new: Type.Optional(
        Type.Boolean({
          description:
            'Whether to refuse the request if rates begin on that day already. The default is false.',
        }),
      ),
    }),
    response: PayTableShown,
  }),
  changeRates: endpoint('PATCH /api/pay/tables/:id/rates/:from', {
    summary: 'Change the rates of a table that begin on a day',
    description: 'Changes only what is given, down to the single rate.',
    body: Type.Object({ until: Type.Optional(Nullable(Day)), rates: Type.Optional(RatesChange) }),
    response: PayTableShown,
  }),
  removeRates: endpoint('DELETE /api/pay/tables/:id/rates/:from', {
    summary: 'Delete the rates of a table that begin on a day',
    response: PayTableShown,
  }),
  people: endpoint('GET /api/pay/people', {
    summary: 'List who is paid by which rate table',
    response: Type.Object({ people: Type.Array(PayPerson) }),
  }),
  assign: endpoint('PUT /api/pay/people/:id', {
    summary: 'Assign a person to a rate table',
    description: `Assigns the person from a day on or, without \`from\`, from the beginning. A person has at most ${MOST_ASSIGNMENTS} assignments.`,
    body: Type.Object({
      table: Nullable(Id, 'The ID of a rate table; null if the person is not paid.'),
      from: Type.Optional(Day),
    }),
    response: PayPerson,
  }),
  unassign: endpoint('DELETE /api/pay/people/:id/from/:from', {
    summary: 'Delete the assignment of a person that begins on a day',
    response: PayPerson,
  }),
  periods: endpoint('GET /api/pay/periods', {
    summary: 'List pay periods',
    description:
      'Lists at most 200, the latest first. People who do not manage pay see published periods with a statement of their own.',
    response: Type.Object({ periods: Type.Array(Period), may_manage: Type.Boolean() }),
  }),
  createPeriod: endpoint('POST /api/pay/periods', {
    summary: 'Create a pay period',
    description: `Creates a period of at most ${LONGEST_PERIOD} days that no other period has. At most ${MOST_OPEN_PERIODS} can be unpublished.`,
    body: Type.Object({ first: Day, last: Day }),
    response: Period,
    status: [201],
  }),
  period: endpoint('GET /api/pay/periods/:id', {
    summary: 'Find a pay period with its statements',
    description:
      'Returns stored statements, or those of a draft as of now. People who do not manage pay see their own statement of a published period.',
    response: PeriodDetail,
  }),
  statement: endpoint('GET /api/pay/periods/:id/statements/:person', {
    summary: 'Find the statements of a person in a pay period',
    description:
      'Returns one statement for each rate table. Looking at those of somebody else is recorded in the audit log.',
    response: Type.Object({ statements: Type.Array(Statement) }),
  }),
  csv: endpoint('GET /api/pay/periods/:id/statements.csv', {
    summary: 'Export the lines of a pay period as a table',
    description:
      'Returns one line for each person, rate table, kind, class and rate, and one for each correction.',
    query: Type.Object({ bom: Type.Optional(Type.Boolean()) }),
    response: Type.String(),
    produces: 'text/csv',
  }),
  check: endpoint('POST /api/pay/periods/:id/check', {
    summary: 'Confirm the amounts of a draft',
    description: 'Stores the amounts. It is refused if they have changed since `figures` was read.',
    body: Type.Object({ figures: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: Period,
  }),
  reopen: endpoint('POST /api/pay/periods/:id/reopen', {
    summary: 'Make a checked period a draft again',
    response: Period,
  }),
  publish: endpoint('POST /api/pay/periods/:id/publish', {
    summary: 'Publish a checked period',
    description:
      'Shows people their statements, which no longer change. It is refused if the amounts have changed since they were checked.',
    response: Period,
  }),
  removePeriod: endpoint('DELETE /api/pay/periods/:id', {
    summary: 'Delete a period that is not published',
    response: Type.Object({ removed: Type.Boolean() }),
  }),
};
