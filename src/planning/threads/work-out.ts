import { fewestChanges } from '../../covers/repairs/fewest.ts';
import type { Programs } from '../../optimizer/programs.ts';
import { bestPlan } from '../solver/best-plan.ts';
import type { Progress } from '../solver/planning.ts';
import { STRATEGIES } from '../strategies.ts';
import type { SolvedPlan, Work, WorkName } from './work.ts';

type Way<K extends WorkName> = (
  given: Work[K]['given'],
  programs: Programs,
  progress: (soFar: Progress) => void,
) => Promise<Work[K]['result']>;

const ways: { [K in WorkName]: Way<K> } = {
  bestPlan: async (input, programs, progress) => withoutRest(await bestPlan(programs, input, progress)),
  inTurns: async ({ strategy, input }) => STRATEGIES[strategy].plan(input),
  fewestChanges: (task, programs) => fewestChanges(programs, task),
};

/** Blocks the calling thread for up to several seconds. */
export function workOut<K extends WorkName>(
  name: K,
  given: Work[K]['given'],
  programs: Programs,
  progress: (soFar: Progress) => void = () => undefined,
): Promise<Work[K]['result']> {
  return ways[name](given, programs, progress);
}

/** Drops the alternatives and contradictions of each shift, which nobody reads and which are most of the data. */
function withoutRest(plan: Awaited<ReturnType<typeof bestPlan>>): SolvedPlan {
  return {
    ...plan,
    shifts: plan.shifts.map(({ alternatives: _, contradiction: __, ...shift }) => shift),
  };
}
