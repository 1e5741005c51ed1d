import { INSTANT_EXAMPLE, parseInstant } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import { MAX_NAME_LENGTH } from './contract.ts';
import type { Column } from './header.ts';
import { parseSheetTime, type Sheet } from './sheet.ts';

/**
 * A row as far as it could be read. Times are ISO 8601 in UTC with milliseconds, so that they can be compared as text.
 */
export type ReadRow = {
  /** As in a spreadsheet: the header is row 1. */
  row: number;
  email: string;
  name: string;
  startsAt: string | null;
  endsAt: string | null;
};

/** A row that can be saved once its user is known. */
export type Absence = ReadRow & { startsAt: string; endsAt: string };

export type Cells = Record<Column, string>;
export type Report = (column: Column, message: string) => void;

/** The default length of an absence: one day, which always has 24 hours in UTC. */
const DEFAULT_LENGTH_MS = 24 * 60 * 60 * 1_000;

const EXAMPLE = { example: INSTANT_EXAMPLE };

/** Later times would have a year of five digits. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads one row and reports all of its problems. Names are kept as they are, including blanks. `sheet`: null for files of programs,
 * which have ISO 8601 only.
 */
export function readRow(row: number, cells: Cells, report: Report, sheet: Sheet | null = null): ReadRow {
  const email = readEmail(cells.email, report);
  const startsAt = readStart(cells.start_time, sheet, report);
  const endsAt = readEnd(cells, startsAt, sheet, report);
  return { row, email, name: readName(cells.name, report), startsAt, endsAt };
}

export function isAbsence(row: ReadRow): row is Absence {
  return row.startsAt !== null && row.endsAt !== null;
}

function readEmail(cell: string, report: Report): string {
  const email = cell.trim();
  if (email === '') report('email', t('is empty; give the email address of a user'));
  if (email.includes('\0')) report('email', t('has a NUL character; remove it'));
  return email;
}

function readStart(cell: string, sheet: Sheet | null, report: Report): string | null {
  if (cell.trim() !== '') return readTime('start_time', cell, sheet, report);
  report('start_time', t('is empty; give an ISO 8601 date and time such as {example}', EXAMPLE));
  return null;
}

function readEnd(cells: Cells, startsAt: string | null, sheet: Sheet | null, report: Report): string | null {
  const cell = cells.end_time;
  if (cell.trim() === '') {
    if (startsAt === null) return null;
    // A day may have 23 or 25 hours, so one that is written as a date lasts until its end.
    const ofDay = parseTime(cells.start_time, sheet, 'end');
    const endsAt = ofDay instanceof Temporal.Instant ? textOf(ofDay) : null;
    return endsAt !== null && endsAt > startsAt ? endsAt : dayAfter(startsAt, report);
  }
  const endsAt = readTime('end_time', cell, sheet, report);
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    report(
      'end_time',
      t('is {cell}, which is not after start_time; give a later time', { cell: shown(cell) }),
    );
  return endsAt;
}

function dayAfter(startsAt: string, report: Report): string | null {
  const ms = Date.parse(startsAt) + DEFAULT_LENGTH_MS;
  if (ms <= LATEST_MS) return new Date(ms).toISOString();
  report(
    'end_time',
    t('is missing, and the default of one day after start_time is after the year 9999; give an end'),
  );
  return null;
}

/** Times are cut to milliseconds, the precision of answers, so that equal answers mean equal rows. Null after the year 9999. */
function textOf({ epochMilliseconds: ms }: Temporal.Instant): string | null {
  return ms > LATEST_MS ? null : new Date(ms).toISOString();
}

/** ISO 8601 comes first, so that a time without an offset is UTC in every file. */
function parseTime(cell: string, sheet: Sheet | null, edge: 'start' | 'end') {
  return parseInstant(cell) ?? (sheet && parseSheetTime(cell, sheet, edge));
}

function readTime(column: Column, cell: string, sheet: Sheet | null, report: Report): string | null {
  const read = parseTime(cell, sheet, column === 'end_time' ? 'end' : 'start');
  const text = read instanceof Temporal.Instant ? textOf(read) : null;
  if (text !== null) return text;
  report(column, timeProblem(cell, read === 'unclear'));
  return null;
}

function timeProblem(cell: string, isUnclear: boolean): string {
  const values = { ...EXAMPLE, cell: shown(cell) };
  if (isUnclear)
    return t(
      'is {cell}, in which the day and the month could be the other way round; begin with the year, as in {example}',
      { ...values, example: '2026-12-24' },
    );
  return /^\d{4}-\d\d-\d\d$/.test(cell.trim())
    ? t('is {cell}, a date without a time; give an ISO 8601 date and time such as {example}', values)
    : t('is {cell}; give an ISO 8601 date and time such as {example}', values);
}

function readName(cell: string, report: Report): string {
  if (cell.includes('\0')) report('name', t('has a NUL character; remove it'));
  const length = cell.length > MAX_NAME_LENGTH ? [...cell].length : cell.length;
  if (length > MAX_NAME_LENGTH)
    report(
      'name',
      t('has {length, number} characters; give at most {most, number}', { length, most: MAX_NAME_LENGTH }),
    );
  return cell;
}

/** A cell as it is quoted in a message: short and on one line. */
function shown(cell: string): string {
  const text = JSON.stringify(cell);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
