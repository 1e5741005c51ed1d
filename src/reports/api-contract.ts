import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/**
 * `from` and `to` are instants, at most 366 days apart; without them the last four weeks. `team` is a slug or id,
 * `schedule` an id. Times are ISO 8601 in UTC.
 */
export const ReportQuery = Type.Object({
  from: Type.Optional(Type.String({ format: 'instant' })),
  to: Type.Optional(Type.String({ format: 'instant' })),
  team: Type.Optional(Type.String({ maxLength: 200, format: 'text' })),
  schedule: Type.Optional(Type.String({ maxLength: 100, format: 'text' })),
});
export type ReportQuery = Static<typeof ReportQuery>;

/** Spreadsheet programs of some systems read UTF-8 only after a byte order mark. */
const CsvQuery = Type.Object({ ...ReportQuery.properties, bom: Type.Optional(Type.Boolean()) });

const ByUrgency = Type.Object({ low: Type.Integer(), medium: Type.Integer(), high: Type.Integer() });

/** The subject of a report. */
export const About = Type.Object({
  from: Type.String(TIME),
  to: Type.String(TIME),
  now: Type.String({
    ...TIME,
    description:
      'The current time of the service. Before it, figures count what happened; after it, what is planned.',
  }),
  time_zone: Type.String({ description: 'The zone of the organization, in which weeks begin.' }),
  team: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
    }),
    Type.Null(),
  ]),
  schedule: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
    }),
    Type.Null(),
  ]),
});
export type About = Static<typeof About>;

/** Hours on call. Each hour has one kind, the first that applies: holiday, weekend, night, day. */
export const HoursByKind = Type.Object({
  day: Type.Number(),
  night: Type.Number(),
  weekend: Type.Number(),
  holiday: Type.Number(),
});
export type HoursByKind = Static<typeof HoursByKind>;

export const FairnessLine = Type.Object({
  person: Person,
  hours: Type.Number(),
  hours_by_kind: HoursByKind,
  shifts: Type.Number({
    description: 'The shifts as the planner counts them; a part of a shift counts in proportion.',
  }),
  nights: Type.Number(),
  weekends: Type.Number(),
  holidays: Type.Number(),
  burden: Type.Number({
    description: 'The shifts above, weighted as the planner does, in units of plain shifts.',
  }),
  share: Type.Union([Type.Number(), Type.Null()], {
    description:
      "The person's share of the shifts, in proportion to the time that they were available; null if they are not a member of any stage.",
  }),
  balance: Type.Union([Type.Number(), Type.Null()], {
    description: 'How much more than their share the person had; negative if less.',
  }),
  pages: Type.Object(ByUrgency.properties, { description: 'The number of pages that notified the person.' }),
  interrupted_hours: Type.Number({
    description:
      "The number of hours, in the person's own time zone, in which a page of medium or high urgency notified them.",
  }),
  sleep_hours_interrupted: Type.Number(),
  acknowledged: Type.Number(),
  answered_after_seconds: Type.Union([Type.Number(), Type.Null()], {
    description:
      'The median time from notification to answer; null if they never answered, or if it is hidden from the viewer.',
  }),
  requests: Type.Object({
    granted: Type.Number(),
    refused: Type.Number(),
  }),
  wishes: Type.Object({
    kept: Type.Number(),
    broken: Type.Number(),
  }),
  covers: Type.Object(
    {
      taken: Type.Number(),
      given: Type.Number(),
    },
    { description: 'The number of shifts that the person took over or gave away, at least in part.' },
  ),
  backstop: Type.Number({ description: 'The number of pages that notified the person as the backstop.' }),
});
export type FairnessLine = Static<typeof FairnessLine>;

export const Spread = Type.Object({
  range: Type.Number({ description: 'The most shifts of one person minus the fewest.' }),
  from_share: Type.Number({ description: 'The same after subtracting everybody’s share.' }),
  gini: Type.Number({
    description:
      'The Gini coefficient of burden in proportion to the time that people were available: 0 if it is equal, 1 if one person has all of it.',
  }),
  sentence: Type.String({ description: 'The figures as a sentence.' }),
});
export type Spread = Static<typeof Spread>;

export const FairnessReport = Type.Object({
  ...About.properties,
  people: Type.Array(FairnessLine, { description: 'The people, sorted by load, the highest first.' }),
  spread: Spread,
});
export type FairnessReport = Static<typeof FairnessReport>;

export const Answers = Type.Object({
  pages: ByUrgency,
  acknowledged: Type.Number(),
  expired: Type.Number(),
  median_seconds: Type.Union([Type.Number(), Type.Null()], {
    description: 'The time from being raised to being acknowledged; null if no page was acknowledged.',
  }),
  p95_seconds: Type.Union([Type.Number(), Type.Null()]),
});
export type Answers = Static<typeof Answers>;

/** `week`: its Monday, such as `2026-11-16`. Weeks without pages are included. */
export const WeekOfAnswers = Type.Object({
  ...Answers.properties,
  week: Type.String(),
});
export type WeekOfAnswers = Static<typeof WeekOfAnswers>;

export const ResponsesReport = Type.Object({
  ...About.properties,
  total: Answers,
  weeks: Type.Array(WeekOfAnswers),
});
export type ResponsesReport = Static<typeof ResponsesReport>;

export const SourceLine = Type.Object({
  source: Type.String({
    description: 'The page source, the host that the page linked to, or who raised it.',
  }),
  pages: Type.Number(),
  asked: Type.Number({ description: 'The number of times that one of these pages notified somebody.' }),
  asleep: Type.Number({
    description: 'The number of these notifications that came while the person would have slept.',
  }),
  last_at: Type.String(TIME),
});
export type SourceLine = Static<typeof SourceLine>;

export const LoadReport = Type.Object({
  ...About.properties,
  heat: Type.Array(Type.Array(Type.Number()), {
    description:
      'The number of interrupted hours of people, for seven days from Monday with 24 hours each, in each person’s own time zone.',
  }),
  interrupted_hours: Type.Number(),
  sleep_hours_interrupted: Type.Number(),
  sources: Type.Array(SourceLine, { description: 'The sources of pages, the noisiest first.' }),
});
export type LoadReport = Static<typeof LoadReport>;

const Withheld = {
  alerts: Type.Integer({
    description:
      'The number of alerts that were reported; an alert that was reported in two occurrences counts twice.',
  }),
  events: Type.Integer({ description: 'The number of events about these alerts that would have paged.' }),
};

export const WithheldLine = Type.Object({
  window: Type.Object({
    id: Type.String(),
    name: Type.String(),
    silence: Type.Boolean(),
    effect: Type.Enum(['hold', 'record'], { type: 'string' }),
  }),
  team: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
  source: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
    description: 'The page source to which it applies; null for all sources of the team.',
  }),
  owner: Type.Union([Person, Type.Null()], { description: 'The person who owns it; null for the operator.' }),
  occurrences: Type.Integer({ description: 'The number of occurrences that held or recorded an alert.' }),
  ...Withheld,
  first_at: Type.String(TIME),
  last_at: Type.String(TIME),
});
export type WithheldLine = Static<typeof WithheldLine>;

export const WithheldReport = Type.Object({
  ...About.properties,
  total: Type.Object(Withheld),
  teams: Type.Array(
    Type.Object({
      team: WithheldLine.properties.team,
      windows: Type.Integer(),
      ...Withheld,
    }),
    { description: 'All windows of each team, the team with the most events first.' },
  ),
  windows: Type.Array(WithheldLine, {
    description:
      'The windows and silences that kept something from paging, at most 500, the one with the most events first.',
  }),
});
export type WithheldReport = Static<typeof WithheldReport>;

const table = (summary: string) => ({
  summary,
  query: CsvQuery,
  response: Type.String(),
  produces: 'text/csv',
});

/** Each report as JSON and as a table for spreadsheets. */
export const reportsApi = {
  fairness: endpoint('GET /api/reports/fairness', {
    summary: 'Report the load of each person',
    query: ReportQuery,
    response: FairnessReport,
  }),
  fairnessTable: endpoint(
    'GET /api/reports/fairness.csv',
    table('Report the load of each person, as a table'),
  ),
  responses: endpoint('GET /api/reports/responses', {
    summary: 'Report how pages were answered',
    query: ReportQuery,
    response: ResponsesReport,
  }),
  responsesTable: endpoint(
    'GET /api/reports/responses.csv',
    table('Report how pages were answered, as a table'),
  ),
  load: endpoint('GET /api/reports/load', {
    summary: 'Report when pages interrupt people, and where they come from',
    query: ReportQuery,
    response: LoadReport,
  }),
  loadTable: endpoint('GET /api/reports/load.csv', table('Report the sources of pages, as a table')),
  withheld: endpoint('GET /api/reports/withheld', {
    summary: 'Report what maintenance windows and silences kept from paging',
    description:
      'Counts the alerts whose last report was in the period, with all of their events in that occurrence.',
    query: ReportQuery,
    response: WithheldReport,
  }),
  withheldTable: endpoint(
    'GET /api/reports/withheld.csv',
    table('Report what maintenance windows and silences kept from paging, as a table'),
  ),
};
