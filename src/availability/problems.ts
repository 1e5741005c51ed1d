import { type Detail, sentence } from '../kit/detail-contract.ts';
import { t } from '../language/contract.ts';

/** A problem of a row. `row` is numbered as in a spreadsheet: the header is row 1. */
export type RowProblem = Detail & { row?: number };

/** Only this many problems are listed: a file with more usually has one mistake repeated. */
const LISTED = 100;

/** Counts all problems of a file, and lists the first hundred. */
export class Problems {
  #count = 0;
  readonly #listed: RowProblem[] = [];

  get count(): number {
    return this.#count;
  }

  /** `column` is null for the row as a whole. */
  addToRow(row: number, column: string | null, message: string): void {
    this.#add({ field: column ? `row ${row}, ${column}` : `row ${row}`, message, row });
  }

  addToFile(message: string): void {
    this.#add({ field: 'file', message });
  }

  #add(problem: RowProblem): void {
    this.#count++;
    if (this.#listed.length < LISTED) this.#listed.push(problem);
  }

  details(): RowProblem[] {
    const more = this.#count - this.#listed.length;
    const rest = {
      field: 'file',
      message: t('has {count, plural, one {# more problem} other {# more problems}}', { count: more }),
    };
    const all = more === 0 ? this.#listed : [...this.#listed, rest];
    return all.map((problem) => ({ ...problem, message: sentence(problem) }));
  }
}
