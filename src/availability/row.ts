import { INSTANT_HINT, parseInstant } from '../kit/instant.ts';
import { MAX_NAME_LENGTH } from './contract.ts';
import type { Column } from './header.ts';

/** A row as far as it could be read. */
export type ReadRow = {
  /** As people see it: the header is row 1. */
  row: number;
  email: string;
  name: string;
  startsAt: Temporal.Instant | null;
  endsAt: Temporal.Instant | null;
};

/** A row that is fit to be saved, once its user is known. */
export type Absence = ReadRow & { startsAt: Temporal.Instant; endsAt: Temporal.Instant };

export type Cells = Record<Column, string>;
export type Report = (column: Column, message: string) => void;

/** Without an end somebody is away for one day, and a day is 24 hours: in UTC every day is. */
const DEFAULT_LENGTH = { hours: 24 };

/** What both PostgreSQL and ISO 8601 with a year of four digits can tell. */
const EARLIEST = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LATEST = Temporal.Instant.from('9999-12-31T23:59:59.999Z');

/** Reads one row and reports everything that is wrong with it. Names are kept as they are, blanks included. */
export function readRow(row: number, cells: Cells, report: Report): ReadRow {
  const email = readEmail(cells.email, report);
  const startsAt = readStart(cells.start_time, report);
  const endsAt = readEnd(cells.end_time, startsAt, report);
  return { row, email, name: readName(cells.name, report), startsAt, endsAt };
}

export function isAbsence(row: ReadRow): row is Absence {
  return row.startsAt !== null && row.endsAt !== null;
}

function readEmail(cell: string, report: Report): string {
  const email = cell.trim();
  if (email === '') report('email', 'is empty; give the email address of a user');
  if (email.includes('\0')) report('email', 'has a NUL character; remove it');
  return email;
}

function readStart(cell: string, report: Report): Temporal.Instant | null {
  if (cell.trim() === '') {
    report('start_time', `is empty; give ${INSTANT_HINT}`);
    return null;
  }
  return readTime('start_time', cell, report);
}

function readEnd(cell: string, startsAt: Temporal.Instant | null, report: Report): Temporal.Instant | null {
  if (cell.trim() === '') return startsAt && dayAfter(startsAt, report);
  const endsAt = readTime('end_time', cell, report);
  if (startsAt && endsAt && Temporal.Instant.compare(endsAt, startsAt) <= 0)
    report('end_time', `is ${shown(cell)}, which is not after start_time; give a later time`);
  return endsAt;
}

function dayAfter(startsAt: Temporal.Instant, report: Report): Temporal.Instant | null {
  const endsAt = startsAt.add(DEFAULT_LENGTH);
  if (isTellable(endsAt)) return endsAt;
  report('end_time', 'is missing, and a day after start_time is beyond the year 9999; give an end');
  return null;
}

/** Milliseconds are as fine as our answers tell times; what is finer is cut, so that equal answers are equal rows. */
function readTime(column: Column, cell: string, report: Report): Temporal.Instant | null {
  const instant = parseInstant(cell);
  if (!instant) report(column, `is ${shown(cell)}${dateHint(cell)}; give ${INSTANT_HINT}`);
  else if (!isTellable(instant)) report(column, `is ${shown(cell)}; give a time in the years 0001 to 9999`);
  else return instant.round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
  return null;
}

function isTellable(instant: Temporal.Instant): boolean {
  return Temporal.Instant.compare(instant, EARLIEST) >= 0 && Temporal.Instant.compare(instant, LATEST) <= 0;
}

function dateHint(cell: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(cell.trim()) ? ', a date without a time' : '';
}

function readName(cell: string, report: Report): string {
  if (cell.includes('\0')) report('name', 'has a NUL character; remove it');
  const length = cell.length > MAX_NAME_LENGTH ? [...cell].length : cell.length;
  if (length > MAX_NAME_LENGTH)
    report('name', `has ${length.toLocaleString('en')} characters; give at most ${MAX_NAME_LENGTH}`);
  return cell;
}

/** A cell as it may be repeated: short and on one line. */
function shown(cell: string): string {
  const text = JSON.stringify(cell);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
