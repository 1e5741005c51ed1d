import loadModule, { type Highs, type Model as HighsModel } from 'highs';
import {
  type Bounds,
  NO_BOUNDS,
  type SolverAnswer,
  type SolverRequest,
  type SolverStatus,
} from './answer.ts';
import { LEVELS } from './levels.ts';
import { type Choice, choiceIn, type Level, type Model } from './program.ts';

/** The fraction of the remaining time that each level except the last may take. */
const SHARE_OF_TIME = 0.6;

type Instantiated = (instance: WebAssembly.Instance) => void;
/** The types describe the CommonJS build, where the function is a member, and not the options of Emscripten. */
const load = loadModule as unknown as (options?: {
  instantiateWasm(imports: WebAssembly.Imports, instantiated: Instantiated): void;
}) => Promise<Highs>;

/** Compiles it unless `compiled` is given (`compiled.ts`). */
export function loadHighs(compiled: WebAssembly.Module | null = null): Promise<Highs> {
  if (!compiled) return load();
  return load({
    instantiateWasm: (imports, instantiated) => instantiated(new WebAssembly.Instance(compiled, imports)),
  });
}

/**
 * Solves a program level by level and blocks the calling thread. `improved` is called for every better plan, so that
 * none is lost if the thread has to be stopped. Deterministic unless time runs out. Frees all memory of the solver.
 */
export function solveWith(
  highs: Highs,
  { model, start, timeLimitSeconds }: SolverRequest,
  improved: (choice: Choice, bounds: Bounds) => void,
): SolverAnswer {
  const deadline = performance.now() + timeLimitSeconds * 1_000;
  const done: { level: Level; most: number }[] = [];
  const solver = `HiGHS ${highs.version.string}`;
  let answer: SolverAnswer = { status: 'optimal', choice: start, bounds: NO_BOUNDS, solver };
  // The start is the published plan. A level that finds nothing better may end with another plan that is as good, from
  // which the next level might not get back to the start in time.
  let isStartBest = start !== null;
  for (const level of model.levels) {
    const left = (deadline - performance.now()) / 1_000;
    const solved = solveLevel(highs, model, level, done, {
      start: answer.choice,
      seconds: Math.max(0.01, level.name === LEVELS.at(-1) ? left : left * SHARE_OF_TIME),
      improved: (choice, bound) => improved(choice, { ...answer.bounds, [level.name]: bound }),
    });
    const status = solved.status === 'optimal' ? answer.status : solved.status;
    const bounds = { ...answer.bounds, [level.name]: solved.bound };
    isStartBest &&= start !== null && isAsGood(model, level, start, solved.value);
    answer = { ...answer, status, choice: isStartBest ? start : solved.choice, bounds };
    if (solved.choice === null || solved.value === null) return answer;
    done.push({ level, most: solved.value });
  }
  return answer;
}

function isAsGood(model: Model, level: Level, start: Choice, value: number | null): boolean {
  return level.isTold && value !== null && costOfChoice(model, level, start) <= value;
}

type LevelTask = {
  start: Choice | null;
  seconds: number;
  improved(choice: Choice, bound: number | null): void;
};
/** `value` in units of the level, without its offset; `bound` in points. */
type LevelAnswer = {
  status: SolverStatus;
  choice: Choice | null;
  value: number | null;
  bound: number | null;
};

function solveLevel(
  highs: Highs,
  model: Model,
  level: Level,
  done: readonly { level: Level; most: number }[],
  { start, seconds, improved }: LevelTask,
): LevelAnswer {
  const least = leastOf(model, level);
  const known = start && costOfChoice(model, level, start);
  // Nothing can be better than the lower bound. Most plans reach it, because they have no gaps and no forced moves.
  if (known !== null && known <= least)
    return { status: 'optimal', choice: start, value: known, bound: pointsOf(level, known) };
  const deadline = performance.now() + seconds * 1_000;
  const program = programOf(model, level, done);
  const found = runProgram(highs, model, level, program, {
    seconds,
    seed: 0,
    start,
    improved: (choice, bound) => improved(choice, bound === null ? null : pointsOf(level, bound)),
  });
  const left = () => Math.max(0.01, (deadline - performance.now()) / 1_000);
  const isProven = found.status === 'optimal' && found.value !== null && found.bound !== null;
  const best = isProven ? confirmed(highs, model, level, program, found, left) : found;
  return { ...best, bound: best.bound === null ? null : pointsOf(level, best.bound) };
}

/**
 * Confirms the bound by a second method, because HiGHS 1.15 has reported plans as optimal that were not
 * (https://github.com/ERGO-Code/HiGHS/issues/3090). Tries the linear relaxation first; if its bound is too weak, solves
 * the program again without a start and with another random seed.
 */
function confirmed(
  highs: Highs,
  model: Model,
  level: Level,
  program: HighsProgram,
  found: ProgramAnswer,
  left: () => number,
): ProgramAnswer {
  const relaxed = runProgram(highs, model, level, withoutIntegers(program), { seconds: left(), seed: 0 });
  if (relaxed.bound !== null && reaches(level, relaxed.bound, found)) return found;
  const second = runProgram(highs, model, level, program, { seconds: left(), seed: 1 });
  if (second.bound !== null && reaches(level, second.bound, found)) return found;
  const isBetter = second.value !== null && found.value !== null && second.value < found.value;
  const best = isBetter ? second : found;
  const bounds = [relaxed.bound, second.bound].filter((bound) => bound !== null);
  // The two runs contradict each other, or time ran out: only the bound that both allow is proven.
  return { ...best, status: 'time_limit', bound: bounds.length > 0 ? Math.max(...bounds) : null };
}

function reaches(level: Level, bound: number, { value, bound: first }: ProgramAnswer): boolean {
  if (value === null || first === null) return false;
  return Math.min(bound, first) >= (level.tolerance > 0 ? first : value) - (level.isWhole ? 0.5 : 1e-5);
}

type HighsProgram = ReturnType<typeof programOf>;
type Run = {
  seconds: number;
  seed: number;
  start?: Choice | null;
  improved?: (choice: Choice, bound: number | null) => void;
};
/** `value` and `bound` in units of the level, without its offset. */
type ProgramAnswer = LevelAnswer;

/** Runs HiGHS once. Presolve is off, because with a start it has cut off optimal plans. */
function runProgram(
  highs: Highs,
  model: Model,
  level: Level,
  program: HighsProgram,
  { seconds, seed, start = null, improved }: Run,
): ProgramAnswer {
  const run = highs.createModel(program);
  try {
    run.options.set({
      output_flag: false,
      random_seed: seed,
      presolve: 'off',
      mip_rel_gap: level.tolerance,
      mip_abs_gap: level.isWhole ? 0.99 : 1e-6,
      time_limit: seconds,
    });
    if (start) run.setSolution(startOf(model, start));
    const { modelStatus } = run.run(
      improved && {
        [highs.constants.callbackType.mipImprovingSolution]: ({ data }) => {
          const solution = data.mip_solution;
          const bound = data.mip_dual_bound;
          if (solution)
            improved(choiceIn(model, solution), bound !== undefined && isFigure(bound) ? bound : null);
        },
      },
    );
    const { optimal, timeLimit } = highs.constants.modelStatus;
    const objective = run.getObjectiveValue();
    const hasSolution = Number.isFinite(objective) && run.info.get('primal_solution_status') === 2;
    const status = modelStatus === optimal ? 'optimal' : modelStatus === timeLimit ? 'time_limit' : 'stopped';
    const isInteger = program.integrality.includes(1);
    const value = hasSolution ? (level.isWhole && isInteger ? Math.round(objective) : objective) : null;
    return {
      status,
      choice: hasSolution ? choiceIn(model, run.getSolution().colValue) : null,
      value,
      bound: boundOf(run, level, status, value, isInteger),
    };
  } finally {
    run.dispose();
  }
}

function withoutIntegers(program: HighsProgram): HighsProgram {
  return { ...program, integrality: new Int32Array(program.integrality.length) };
}

/** The model with the objective of one level, and the results of earlier levels as additional rows. */
function programOf(model: Model, level: Level, done: readonly { level: Level; most: number }[]) {
  const { starts, indices, values, choices, levels, numRows, ...rest } = model;
  const rows = done.map(({ level: { cost, isWhole }, most }) => ({
    entries: [...cost.entries()].filter(([, value]) => value !== 0),
    most: most + (isWhole ? 0.5 : 1e-6),
  }));
  const extraIndices = rows.flatMap(({ entries }) => entries.map(([column]) => column));
  const ends = [...starts];
  for (const { entries } of rows) ends.push((ends.at(-1) ?? 0) + entries.length);
  return {
    ...rest,
    numRows: numRows + rows.length,
    offset: 0,
    colCost: level.cost,
    rowLower: Float64Array.from([...model.rowLower, ...rows.map(() => Number.NEGATIVE_INFINITY)]),
    rowUpper: Float64Array.from([...model.rowUpper, ...rows.map(({ most }) => most)]),
    matrix: {
      format: 'csr' as const,
      numRows: numRows + rows.length,
      numCols: model.numCols,
      starts: Int32Array.from(ends),
      indices: Int32Array.from([...indices, ...extraIndices]),
      values: Float64Array.from([
        ...values,
        ...rows.flatMap(({ entries }) => entries.map(([, value]) => value)),
      ]),
    },
  };
}

/** A lower bound on the cost of this level, known without solving; in units, without the offset. */
function leastOf(model: Model, level: Level): number {
  if (!level.isTold) return Number.NEGATIVE_INFINITY;
  switch (level.name) {
    case 'coverage':
      // Assigns every slot that has a candidate, ignoring conflicts between slots.
      return costOfChoice(
        model,
        level,
        model.choices.map((able) => able[0]?.person ?? -1),
      );
    case 'moves':
      return -level.offset;
    case 'rest':
      return Number.NEGATIVE_INFINITY;
  }
}

/** The cost of a choice in units, without the offset. */
function costOfChoice(model: Model, level: Level, choice: Choice): number {
  if (!level.isTold) return Number.POSITIVE_INFINITY;
  return columnsOf(model, choice).reduce((sum, column) => sum + (level.cost[column] ?? 0), 0);
}

/** The columns that are 1 in a plan, except those of shares. */
function columnsOf({ choices, uncovered, unanswered }: Model, choice: Choice): number[] {
  const isEmpty = (slot: number) => choice[slot] === -1;
  return [
    ...choices.flatMap((able, slot) => able.find(({ person }) => person === choice[slot])?.column ?? []),
    ...uncovered.filter((_, slot) => isEmpty(slot)),
    ...unanswered.filter(({ slots }) => slots.every(isEmpty)).map(({ column }) => column),
  ];
}

function pointsOf({ unit, offset }: Level, value: number): number {
  return unit * (value + offset);
}

/** The proven lower bound in units, without the offset. */
function boundOf(
  run: HighsModel,
  level: Level,
  status: SolverStatus,
  value: number | null,
  isInteger: boolean,
): number | null {
  if (status === 'optimal' && level.isWhole && isInteger && value !== null) return value;
  const told = isInteger ? Number(run.info.get('mip_dual_bound')) : Number.NaN;
  // If little is left to decide, HiGHS reports no bound; an optimal value is its own bound.
  const bound = isFigure(told) || status !== 'optimal' ? told : (value ?? Number.NaN);
  if (!isFigure(bound)) return null;
  return level.isWhole ? Math.ceil(bound - 1e-6) : bound;
}

/** The start for the integer columns; HiGHS completes the rest. */
function startOf(model: Model, start: Choice) {
  const mine = new Set(columnsOf(model, start));
  const columns = [
    ...model.choices.flat().map(({ column }) => column),
    ...model.uncovered,
    ...model.unanswered.map(({ column }) => column),
  ];
  return {
    indices: Int32Array.from(columns),
    values: Float64Array.from(columns.map((column) => (mine.has(column) ? 1 : 0))),
  };
}

function isFigure(bound: number): boolean {
  return Number.isFinite(bound) && Math.abs(bound) < 1e20;
}
