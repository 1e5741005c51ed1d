import { type Static, Type } from 'typebox';
import type { Person, Urgency } from '../people/contract.ts';

/**
 * GET /api/reports/fairness, /responses and /load, each also as `.csv`. `from` and `to` are instants, at most 366 days
 * apart; without them the last four weeks. `team` is a slug or id, `schedule` an id. Times are ISO 8601 in UTC.
 */
export const ReportQuery = Type.Object({
  from: Type.Optional(Type.String({ format: 'instant' })),
  to: Type.Optional(Type.String({ format: 'instant' })),
  team: Type.Optional(Type.String({ maxLength: 200, format: 'text' })),
  schedule: Type.Optional(Type.String({ maxLength: 100, format: 'text' })),
});
export type ReportQuery = Static<typeof ReportQuery>;

/** Spreadsheet programs of some systems read UTF-8 only after a byte order mark. */
export const CsvQuery = Type.Object({ ...ReportQuery.properties, bom: Type.Optional(Type.Boolean()) });
export type CsvQuery = Static<typeof CsvQuery>;

/** What a report is about. */
export type About = {
  from: string;
  to: string;
  /** What time it is for the service: what lies behind it is as it was, what lies ahead as it is planned. */
  now: string;
  /** The organization's, by which weeks are told. */
  time_zone: string;
  team: { id: string; name: string; slug: string } | null;
  schedule: { id: string; name: string } | null;
};

/** Hours on call; every hour is of one kind: a holiday before a weekend before a night before a day. */
export type HoursByKind = { day: number; night: number; weekend: number; holiday: number };

export type FairnessLine = {
  person: Person;
  hours: number;
  hours_by_kind: HoursByKind;
  /** Counted as the planner counts them; who had a part of one has that part. */
  shifts: number;
  nights: number;
  weekends: number;
  holidays: number;
  /** All of that by the planner's weights, in plain shifts. */
  burden: number;
  /** Shifts that would be theirs by the time that they were there; null: not a member of any stage. */
  share: number | null;
  /** What they had beyond it. */
  balance: number | null;
  /** That they were asked about, each once. */
  pages: Record<Urgency, number>;
  /** Hours of their clock in which somebody was asked about a page of medium or high urgency. */
  interrupted_hours: number;
  sleep_hours_interrupted: number;
  acknowledged: number;
  /** From being asked to answering, the median; null: never answered, or not for the viewer to see. */
  answered_after_seconds: number | null;
  requests: { granted: number; refused: number };
  wishes: { kept: number; broken: number };
  /** Shifts of which they took, or gave, at least a part. */
  covers: { taken: number; given: number };
  /** Pages for which they were asked as backstop. */
  backstop: number;
};

export type Spread = {
  /** Between the one with the most and the one with the fewest shifts. */
  range: number;
  /** The same when everybody's share is taken off. */
  from_share: number;
  /** Of burden for the time that people were there: 0 when equal, 1 when one has all. */
  gini: number;
  /** All of this in words. */
  sentence: string;
};

export type FairnessReport = About & {
  /** Whoever carried most first. */
  people: FairnessLine[];
  spread: Spread;
};

export type Answers = {
  pages: Record<Urgency, number>;
  acknowledged: number;
  expired: number;
  /** From being raised to being acknowledged; null when none was. */
  median_seconds: number | null;
  p95_seconds: number | null;
};

/** `week`: its Monday, such as `2026-11-16`. Weeks without pages are there as well. */
export type WeekOfAnswers = Answers & { week: string };

export type ResponsesReport = About & { total: Answers; weeks: WeekOfAnswers[] };

export type SourceLine = {
  /** The host that the page linked to, or who raised it. */
  source: string;
  pages: number;
  /** How many times somebody was asked about one of them. */
  asked: number;
  /** Of which they would have slept. */
  asleep: number;
  last_at: string;
};

export type LoadReport = About & {
  /** Seven days from Monday, each of 24 hours by everybody's own clock: interrupted hours of people. */
  heat: number[][];
  interrupted_hours: number;
  sleep_hours_interrupted: number;
  /** The noisiest first. */
  sources: SourceLine[];
};
