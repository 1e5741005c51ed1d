import { listed, t } from '../language/contract.ts';
import { Unreadable } from './unreadable.ts';

const COLUMNS = ['email', 'start_time', 'end_time', 'name'] as const;
export type Column = (typeof COLUMNS)[number];

const REQUIRED: readonly Column[] = ['email', 'start_time'];

/** The index of each known column, from 0, and the number of cells in the header. */
export type Header = { width: number; places: ReadonlyMap<Column, number> };

/** Reads the header row: names in any case and order; others are ignored. @throws Unreadable if a column is missing */
export function readHeader(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const twice = COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice.length > 0)
    throw new Unreadable(t('the header row names {columns} more than once', { columns: listed(twice) }));
  const missing = REQUIRED.filter((column) => !names.includes(column));
  if (missing.length > 0) throw new Unreadable(lacks(listed(missing), names));
  const known = COLUMNS.filter((column) => names.includes(column));
  return { width: cells.length, places: new Map(known.map((column) => [column, names.indexOf(column)])) };
}

/** Spreadsheets in many countries export semicolons or tabs. */
function lacks(columns: string, names: readonly string[]): string {
  const [only, ...more] = names;
  return more.length === 0 && only && /[;\t|]/.test(only)
    ? t('the header row lacks {columns}; separate the columns by commas', { columns })
    : t('the header row lacks {columns}', { columns });
}

/** The cell of a column in a row; empty if the file or the row does not have it. */
export function cellOf(header: Header, cells: readonly string[], column: Column): string {
  const place = header.places.get(column);
  return place === undefined ? '' : (cells[place] ?? '');
}
