import type { Rule } from './rules.ts';
import { isTest } from './source.ts';

/** Files that compute plans and repairs, which takes seconds for many people and shifts. */
const WORKED_OUT =
  /^(src\/(planning\/threads\/(work-out|worker)|planning\/solver\/(alternatives|best-plan|companions|compared|conflicts|contradiction|give-back|limit-rows|model|opening|planning|problem|shares|solution|valuation)|optimizer\/(highs|program|programs)|covers\/repairs\/(fewest|limits|model|segments))|testing\/planning\/(solver|problems|failing-worker))\.ts$/;
/** This file runs in the thread as well. */
const THREAD = 'src/planning/threads/report.ts';

/** The thread that answers requests may import only types from these files, which run in a thread of their own. */
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
