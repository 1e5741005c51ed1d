import type { Rule } from './rules.ts';
import { isTest } from './source.ts';

/** What works plans and repairs out: seconds, for many people and shifts. */
const WORKED_OUT =
  /^src\/schedules\/(solving\/(work-out|worker|testing)|plan\/solver\/(alternatives|best-plan|conflicts|contradiction|highs|model|opening|planning|problem|program|programs|shares|solution|testing|valuation)|covers\/fewest\/(fewest|model|segments))\.ts$/;
/** Runs in the thread as well. */
const THREAD = 'src/schedules/solving/report.ts';

/** Whoever answers requests has it worked out by a thread, and waits: types are all that it takes from there. */
export const threads: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source) && !WORKED_OUT.test(source.path) && source.path !== THREAD)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ to, typeOnly }) => WORKED_OUT.test(to) && !typeOnly)
        .map(
          ({ to }) =>
            `${path} imports ${to}, which may keep a thread busy for seconds; ask createSolver for it instead`,
        ),
    );
