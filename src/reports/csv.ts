/** `decimal`: an exact number such as `-12.30`, from our own code. */
export type Cell = string | number | null | { decimal: string };

/** Text that spreadsheet programs would run as a formula or split into several cells. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as in RFC 4180: CRLF after every line, quotes where needed. Text that a spreadsheet would run as a formula
 * gets an apostrophe in front. Numbers stay numbers, including negative ones.
 */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.decimal;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  // Some spreadsheets split at semicolons and tabs as well.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
