import { type Detail, sentence } from '../kit/detail-contract.ts';

/** What is wrong with one row. `row` counts as people see it: the header is row 1. */
export type RowProblem = Detail & { row?: number };

/** More would help nobody: whoever has a hundred has made one mistake a hundred times. */
const LISTED = 100;

/** Every problem of a file, the first hundred in words. */
export class Problems {
  #count = 0;
  readonly #listed: RowProblem[] = [];

  get count(): number {
    return this.#count;
  }

  /** `column` null: the row as a whole. */
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
    const rest = { field: 'file', message: `has ${more.toLocaleString('en')} more problems` };
    const all = more === 0 ? this.#listed : [...this.#listed, rest];
    return all.map((problem) => ({ ...problem, message: sentence(problem) }));
  }
}
