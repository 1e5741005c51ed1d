export type Cell = string | number | null;

/** What spreadsheet programs would run as a formula, or as more than the one cell that it is. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as RFC 4180 says: CRLF after every line, quotes where they are needed. Texts that a spreadsheet would take
 * for a formula begin with an apostrophe; numbers are numbers, also below zero.
 */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  // Some spreadsheets split at semicolons and tabs as well.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
