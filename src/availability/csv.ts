import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { t } from '../language/contract.ts';
import { type Column, cellOf, type Header, readHeader } from './header.ts';
import { Problems } from './problems.ts';
import { type ReadRow, readRow } from './row.ts';
import { delimiterOf, type Sheet } from './sheet.ts';
import { Unreadable } from './unreadable.ts';

export const MAX_ROWS = 100_000;

/** The most bytes of text in a row, or without a line break. No real row is as long. */
const MAX_ROW_BYTES = 256 * 1024;

/** How many bytes are parsed in one go; other work gets a turn between slices. */
const SLICE_BYTES = 16 * 1024;

/** The rows of a file, in order. Rows with problems contain what could be read. */
export type CsvReading = { rows: ReadRow[]; problems: Problems };

/**
 * Reads a CSV file: UTF-8 with or without BOM; CRLF, LF or CR; quoted cells; a header row. Rows without text are
 * skipped. Rows are numbered as in a spreadsheet: the header is row 1, a blank line is a row, and a cell of several
 * lines is part of one row. `sheet`: the habits of the spreadsheet that wrote it; null for commas and ISO 8601 only.
 * @throws Unreadable if there is no acceptable header
 * @throws the reason of the signal if it is aborted
 */
export async function readCsv(
  bytes: Buffer,
  signal?: AbortSignal,
  sheet: Sheet | null = null,
): Promise<CsvReading> {
  if (!isUtf8(bytes)) throw new Unreadable(t('the file is not UTF-8 text; save it as "CSV UTF-8"'));
  const reader = new RowReader(sheet);
  const parser = parse({
    delimiter: sheet ? delimiterOf(bytes) : ',',
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], info) => reader.take(cells, info.records + info.empty_lines),
  });
  try {
    await pipeline(slices(bytes, parser, signal), parser);
  } catch (error) {
    signal?.throwIfAborted();
    reader.stop(error, parser.info.records + parser.info.empty_lines + 1);
  }
  return reader.finish();
}

async function* slices(
  bytes: Buffer,
  parser: Parser,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let line = 0;
  let lineFrom = 0;
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
    await nextTurn();
    signal?.throwIfAborted();
    // The parser limits the text of a row, but not the number of its empty cells.
    if (parser.info.lines !== line) [line, lineFrom] = [parser.info.lines, from];
    else if (from - lineFrom > MAX_ROW_BYTES) throw new TooLong();
  }
}

class TooLong extends Error {}
class TooMany extends Error {}

class RowReader {
  #header: Header | null = null;
  #rows: ReadRow[] = [];
  readonly #problems = new Problems();
  readonly #sheet: Sheet | null;

  constructor(sheet: Sheet | null) {
    this.#sheet = sheet;
  }

  /** Takes the cells of one row. Returns null, so that the parser does not keep them. */
  take(cells: readonly string[], row: number): null {
    if (cells.every((cell) => cell.trim() === '')) return null;
    if (!this.#header) this.#header = readHeader(cells);
    else if (this.#rows.length === MAX_ROWS) throw new TooMany();
    else this.#rows.push(this.#read(this.#header, cells, row));
    return null;
  }

  #read(header: Header, cells: readonly string[], row: number): ReadRow {
    const known = {
      email: cellOf(header, cells, 'email'),
      start_time: cellOf(header, cells, 'start_time'),
      end_time: cellOf(header, cells, 'end_time'),
      name: cellOf(header, cells, 'name'),
    };
    const problems: [Column, string][] = [];
    const report = (column: Column, message: string) => problems.push([column, message]);
    const read = readRow(row, known, report, this.#sheet);
    // Cells missing at the end are empty, and empty cells after the last column are ignored.
    const tooMany = cells.slice(header.width).some((cell) => cell.trim() !== '');
    const tooFew = cells.length < header.width && problems.length > 0;
    if (tooMany || tooFew) this.#problems.addToRow(row, null, raggedProblem(cells.length, header.width));
    // In a row with too many cells it is unclear which cell belongs to which column; in a short row the first ones
    // match.
    if (!tooMany) for (const [column, message] of problems) this.#problems.addToRow(row, column, message);
    return read;
  }

  /** Records that reading stopped at `row`. @throws the error if it is not about the file */
  stop(error: unknown, row: number): void {
    if (error instanceof TooMany) {
      this.#rows = [];
      this.#problems.addToFile(t('has more than {most, number} rows; split it', { most: MAX_ROWS }));
      return;
    }
    const message = stopReason(error);
    if (!message) throw error;
    if (!this.#header) throw new Unreadable(t('row {row} {problem}', { row, problem: message }));
    this.#problems.addToRow(row, null, t('{problem}; the rows after it were not read', { problem: message }));
  }

  finish(): CsvReading {
    if (!this.#header) throw new Unreadable(t('the file is empty'));
    return { rows: this.#rows, problems: this.#problems };
  }
}

function stopReason(error: unknown): string | null {
  if (error instanceof TooLong) return t('is too long');
  if (!(error instanceof CsvError)) return null;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return t('has a quoted cell that is never closed; end it with "');
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return t('has a quote in the middle of a cell; put the whole cell in quotes and double those inside');
    case 'CSV_MAX_RECORD_SIZE':
      return t('is too long');
    default:
      return null;
  }
}

function raggedProblem(cells: number, width: number): string {
  return cells < width
    ? t(
        'has {cells, plural, one {# cell} other {# cells}} where the header has {width}; give a cell for every column',
        { cells, width },
      )
    : t(
        'has {cells, plural, one {# cell} other {# cells}} where the header has {width}; quote a cell that contains a comma',
        { cells, width },
      );
}
