import loadModule, { type Highs, type Model as HighsModel } from 'highs';
import {
  type Bounds,
  NO_BOUNDS,
  type SolverAnswer,
  type SolverRequest,
  type SolverStatus,
} from './answer.ts';
import { LEVELS } from './levels.ts';
import { choiceIn } from './model.ts';
import type { Level, Model } from './program.ts';
import type { Choice } from './valuation.ts';

/** Of the time that is left each level but the last may take this much. */
const SHARE_OF_TIME = 0.6;

export function loadHighs(): Promise<Highs> {
  // The types are written for CommonJS, where the function is a member; in a module it is the default itself.
  return (loadModule as unknown as typeof loadModule.default)();
}

/**
 * Solves a program level by level, on the thread that calls. `improved` hears of every better plan at once, so that it
 * is not lost when the thread has to be stopped. Deterministic unless time runs out. Everything in the solver's memory
 * is freed.
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
  for (const level of model.levels) {
    const left = (deadline - performance.now()) / 1_000;
    const solved = solveLevel(highs, model, level, done, {
      start: answer.choice,
      seconds: Math.max(0.01, level.name === LEVELS.at(-1) ? left : left * SHARE_OF_TIME),
      improved: (choice, bound) => improved(choice, { ...answer.bounds, [level.name]: bound }),
    });
    const status = solved.status === 'optimal' ? answer.status : solved.status;
    const bounds = { ...answer.bounds, [level.name]: solved.bound };
    answer = { ...answer, status, choice: solved.choice, bounds };
    if (solved.choice === null || solved.value === null) return answer;
    done.push({ level, most: solved.value });
  }
  return answer;
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
  task: LevelTask,
  presolves = true,
): LevelAnswer {
  const { start, seconds, improved } = task;
  const least = leastOf(model, level);
  const known = start && costOfChoice(model, level, start);
  // Nothing can be better than that: most plans have no gap, and nothing that has to move.
  if (known !== null && known <= least)
    return { status: 'optimal', choice: start, value: known, bound: pointsOf(level, known) };
  const program = highs.createModel(programOf(model, level, done));
  try {
    program.options.set({
      output_flag: false,
      random_seed: 0,
      presolve: presolves ? 'on' : 'off',
      mip_rel_gap: level.tolerance,
      mip_abs_gap: level.isWhole ? 0.99 : 1e-6,
      time_limit: seconds,
    });
    if (start) program.setSolution(startOf(model, start));
    const { modelStatus } = program.run({
      [highs.constants.callbackType.mipImprovingSolution]: ({ data }) => {
        const solution = data.mip_solution;
        if (solution) improved(choiceIn(model, solution), pointsOrNull(level, data.mip_dual_bound));
      },
    });
    const { optimal, timeLimit, infeasible } = highs.constants.modelStatus;
    // There is always a plan, but presolving HiGHS 1.15 may not see it: https://github.com/ERGO-Code/HiGHS/issues/3090
    if (modelStatus === infeasible && presolves) return solveLevel(highs, model, level, done, task, false);
    const hasSolution =
      Number.isFinite(program.getObjectiveValue()) && program.info.get('primal_solution_status') === 2;
    const status = modelStatus === optimal ? 'optimal' : modelStatus === timeLimit ? 'time_limit' : 'stopped';
    const objective = program.getObjectiveValue();
    const value = hasSolution ? (level.isWhole ? Math.round(objective) : objective) : null;
    return {
      status,
      choice: hasSolution ? choiceIn(model, program.getSolution().colValue) : null,
      value,
      bound: boundOf(program, model, level, status, value),
    };
  } finally {
    program.dispose();
  }
}

/** The model with one objective, and with what earlier levels won as rows of its own. */
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

/** No plan costs less in this level, as far as can be seen without solving; in units, without the offset. */
function leastOf(model: Model, level: Level): number {
  if (!level.isTold) return Number.NEGATIVE_INFINITY;
  switch (level.name) {
    case 'coverage':
      // Everybody who can at once, as if nobody could be missing elsewhere.
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

/** In units, without the offset. */
function costOfChoice(model: Model, level: Level, choice: Choice): number {
  if (!level.isTold) return Number.POSITIVE_INFINITY;
  return columnsOf(model, choice).reduce((sum, column) => sum + (level.cost[column] ?? 0), 0);
}

/** The columns that are 1 in a plan, those of the shares left aside. */
function columnsOf({ choices, uncovered, unanswered }: Model, choice: Choice): number[] {
  const isEmpty = (slot: number) => choice[slot] === -1;
  return [
    ...choices.flatMap((able, slot) => able.find(({ person }) => person === choice[slot])?.column ?? []),
    ...uncovered.filter((_, slot) => isEmpty(slot)),
    ...unanswered.filter(({ slots }) => slots.every(isEmpty)).map(({ column }) => column),
  ];
}

function pointsOrNull(level: Level, bound: number | undefined): number | null {
  return bound !== undefined && isFigure(bound) ? pointsOf(level, bound) : null;
}

function pointsOf({ unit, offset }: Level, value: number): number {
  return unit * (value + offset);
}

function boundOf(
  program: HighsModel,
  { integrality }: Model,
  level: Level,
  status: SolverStatus,
  value: number | null,
): number | null {
  if (status === 'optimal' && level.isWhole && value !== null) return pointsOf(level, value);
  const told = integrality.includes(1) ? Number(program.info.get('mip_dual_bound')) : Number.NaN;
  // Where little is left to decide HiGHS keeps no bound of its own: what it found is least.
  const bound = isFigure(told) || status !== 'optimal' ? told : (value ?? Number.NaN);
  if (!isFigure(bound)) return null;
  return pointsOf(level, level.isWhole ? Math.ceil(bound - 1e-6) : bound);
}

/** What is whole in the program; HiGHS completes the rest. */
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
