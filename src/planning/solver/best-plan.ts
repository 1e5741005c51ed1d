import type { Programs } from '../../optimizer/programs.ts';
import { isLess, markedShared, openedInput, tidied, uncoveredMs } from '../opening.ts';
import { type Progress, solvePlan } from './planning.ts';
import type { ProblemInput } from './problem.ts';
import type { Solution } from './solution.ts';
import { TIME_LIMIT_SECONDS } from './time-limit.ts';

/** The second solve always gets at least this long. */
const LEAST_SECONDS = 2;

/** The best plan of whole shifts, if time ran out before it was known whether shared shifts cover more. */
const UNPROVEN = { origin: 'time_limit', bound: null, gap: null, coversMost: false } as const;

/**
 * The best plan of whole shifts. If it has gaps: the best plan in which those shifts may be shared, provided that it
 * leaves less time uncovered. The figures are those of the returned plan.
 */
export async function bestPlan(
  programs: Programs,
  input: ProblemInput,
  progress: (soFar: Progress) => void = () => undefined,
): Promise<Solution> {
  const solved = await solvePlan(programs, input, TIME_LIMIT_SECONDS, progress);
  const whole = { ...solved, shifts: markedShared(solved.shifts, input) };
  const gaps = whole.shifts.filter(({ userId }) => userId === null);
  const opened = gaps.length > 0 ? openedInput(input, gaps) : null;
  if (!opened) return whole;
  const seconds = Math.max(LEAST_SECONDS, TIME_LIMIT_SECONDS - whole.seconds);
  const shared = await solvePlan(programs, opened, seconds, (soFar) =>
    progress({ ...soFar, seconds: soFar.seconds + whole.seconds }),
  );
  const shifts = tidied(shared.shifts, opened);
  if (!isLess(uncoveredMs(shifts), uncoveredMs(whole.shifts)))
    return shared.coversMost ? whole : { ...whole, ...UNPROVEN };
  return { ...shared, shifts: markedShared(shifts, opened), seconds: whole.seconds + shared.seconds };
}
