import loadModule, { type Highs, type Model as HighsModel } from 'highs';
import { choiceIn, type Model } from './model.ts';
import type { Choice } from './valuation.ts';

export type SolverRequest = {
  model: Model;
  /** A plan that is known to be possible; the solver's is never worse. */
  start: Choice | null;
  timeLimitSeconds: number;
};

export type SolverStatus = 'optimal' | 'time_limit' | 'stopped';

/** `choice` is null when no plan was found; no plan costs less than `bound`, which is null when nothing is proven. */
export type SolverAnswer = { status: SolverStatus; choice: Choice | null; bound: number | null };

export function loadHighs(): Promise<Highs> {
  // The types are written for CommonJS, where the function is a member; in a module it is the default itself.
  return (loadModule as unknown as typeof loadModule.default)();
}

/**
 * Solves a program, on the thread that calls. `improved` hears of every better plan at once, so that it is not lost
 * when the thread has to be stopped. Deterministic unless time runs out. Everything in the solver's memory is freed.
 */
export function solveWith(
  highs: Highs,
  { model, start, timeLimitSeconds }: SolverRequest,
  improved: (choice: Choice, bound: number | null) => void,
): SolverAnswer {
  // Nothing to decide is not a program that HiGHS takes.
  if (model.numCols === 0) return { status: 'optimal', choice: [], bound: model.offset };
  const { starts, indices, values, choices, ...rest } = model;
  const program = highs.createModel({
    ...rest,
    matrix: { format: 'csr', numRows: model.numRows, numCols: model.numCols, starts, indices, values },
  });
  try {
    program.options.set({
      output_flag: false,
      random_seed: 0,
      mip_rel_gap: 0,
      mip_abs_gap: 1e-6,
      time_limit: timeLimitSeconds,
    });
    if (start) program.setSolution(startOf(model, start));
    const { modelStatus } = program.run({
      [highs.constants.callbackType.mipImprovingSolution]: ({ data }) => {
        const solution = data.mip_solution;
        if (solution) improved(choiceIn(model, solution), finite(data.mip_dual_bound));
      },
    });
    const { optimal, timeLimit } = highs.constants.modelStatus;
    const hasSolution =
      Number.isFinite(program.getObjectiveValue()) && program.info.get('primal_solution_status') === 2;
    const status = modelStatus === optimal ? 'optimal' : modelStatus === timeLimit ? 'time_limit' : 'stopped';
    return {
      status,
      choice: hasSolution ? choiceIn(model, program.getSolution().colValue) : null,
      bound: boundOf(program, model, status),
    };
  } finally {
    program.dispose();
  }
}

/** Where nobody can take anything nothing is whole, and HiGHS keeps no bound of its own: what it found is least. */
function boundOf(program: HighsModel, { integrality }: Model, status: SolverStatus): number | null {
  if (integrality.includes(1)) return finite(Number(program.info.get('mip_dual_bound')));
  return status === 'optimal' ? finite(program.getObjectiveValue()) : null;
}

/** What is whole in the program; HiGHS completes the rest. */
function startOf({ choices }: Model, start: Choice) {
  const columns = choices.flatMap((candidates, slot) =>
    candidates.map(({ column, person }) => ({ column, value: start[slot] === person ? 1 : 0 })),
  );
  return {
    indices: Int32Array.from(columns.map(({ column }) => column)),
    values: Float64Array.from(columns.map(({ value }) => value)),
  };
}

function finite(bound: number | undefined): number | null {
  return bound !== undefined && Math.abs(bound) < 1e20 ? bound : null;
}
