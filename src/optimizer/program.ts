import { LEVELS, type LevelName } from './levels.ts';

/** By slot: the index of the person who has it, −1 for nobody. */
export type Choice = readonly number[];

/** Minimizes `unit · (offset + cost·x)`, in points. */
export type Level = {
  name: LevelName;
  offset: number;
  cost: Float64Array;
  unit: number;
  /** Whether every plan costs a whole number of units. */
  isWhole: boolean;
  /** Whether the assignment of slots alone determines the cost; otherwise other columns add to it. */
  isTold: boolean;
  /** The accepted relative gap; 0 for the optimum. */
  tolerance: number;
};

/** A mixed-integer program. The matrix is stored in compressed rows. */
export type Model = {
  numCols: number;
  numRows: number;
  /** The objectives in order: each is minimized without worsening the ones before. */
  levels: readonly Level[];
  colLower: Float64Array;
  colUpper: Float64Array;
  /** 1 for integer columns, 0 for continuous ones. */
  integrality: Int32Array;
  rowLower: Float64Array;
  rowUpper: Float64Array;
  starts: Int32Array;
  indices: Int32Array;
  values: Float64Array;
  /** By slot: the column and the person of each candidate. */
  choices: readonly (readonly { column: number; person: number }[])[];
  /** By slot: the column that is 1 if nobody has it. */
  uncovered: readonly number[];
  /** Columns that are 1 if nobody has any of their slots. */
  unanswered: readonly { column: number; slots: readonly number[] }[];
};

export type Entry = readonly [column: number, value: number];

/** By level, in its units. */
export type Cost = Partial<Record<LevelName, number>>;

/** Collects columns and rows in the order in which they are added. */
export class Build {
  readonly #costs: Cost[] = [];
  readonly #upper: number[] = [];
  readonly #whole: number[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];
  readonly #starts: number[] = [];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  /** Adds a column from 0 to `upper`. */
  column(cost: Cost, upper: number, whole = 0): number {
    this.#costs.push(cost);
    this.#upper.push(upper);
    this.#whole.push(whole);
    return this.#costs.length - 1;
  }

  /** Adds a binary column. */
  whole(cost: Cost): number {
    return this.column(cost, 1, 1);
  }

  /** Entries of one column are added up, because HiGHS refuses a program that names a column twice in a row. */
  row(lower: number, upper: number, entries: readonly Entry[]): void {
    this.#starts.push(this.#indices.length);
    this.#rowLower.push(lower);
    this.#rowUpper.push(upper);
    const sums = new Map<number, number>();
    for (const [column, value] of entries) sums.set(column, (sums.get(column) ?? 0) + value);
    for (const [column, value] of sums) {
      this.#indices.push(column);
      this.#values.push(value);
    }
  }

  /**
   * `offsets`: costs that every plan has. `untold`: levels to which columns other than the assignment of slots add.
   * `tolerance`: the relative gap of the last level.
   */
  levels(
    offsets: Cost,
    units: Readonly<Record<LevelName, number>>,
    untold: readonly LevelName[],
    tolerance = 0,
  ): Level[] {
    return LEVELS.map((name) => ({
      name,
      offset: offsets[name] ?? 0,
      cost: Float64Array.from(this.#costs.map((cost) => cost[name] ?? 0)),
      unit: units[name],
      isWhole: name !== 'rest',
      isTold: !untold.includes(name),
      tolerance: name === 'rest' ? tolerance : 0,
    }));
  }

  finish(): Omit<Model, 'choices' | 'levels' | 'uncovered' | 'unanswered'> {
    return {
      numCols: this.#costs.length,
      numRows: this.#rowLower.length,
      colLower: new Float64Array(this.#costs.length),
      colUpper: Float64Array.from(this.#upper),
      integrality: Int32Array.from(this.#whole),
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
      starts: Int32Array.from([...this.#starts, this.#indices.length]),
      indices: Int32Array.from(this.#indices),
      values: Float64Array.from(this.#values),
    };
  }
}

/** The assignment of slots in a solution of the program. */
export function choiceIn(model: Pick<Model, 'choices'>, colValue: ArrayLike<number>): Choice {
  return model.choices.map(
    (candidates) => candidates.find(({ column }) => (colValue[column] ?? 0) > 0.5)?.person ?? -1,
  );
}
