import { createHash } from 'node:crypto';
import type { JointRepair, RepairSolver, RepairTask } from './fewest.ts';

/** Repairs that have been solved. */
export type Repairs = {
  /** Returns null if the solver found nothing. */
  repairFor(task: RepairTask): JointRepair | null | 'unsolved';
};

/** For transactions that cannot wait: leaves all repairs that need the solver to the duty that settles covers. */
export const NOTHING_SOLVED: Repairs = { repairFor: () => 'unsolved' };

/** Records which repairs were requested, and solves them outside transactions. */
export type SolvedRepairs = Repairs & {
  /** Solves the repairs that were requested and are not solved yet; returns false if there were none. */
  solve(solver: RepairSolver): Promise<boolean>;
  /** From now on, treats unsolved repairs as not found. */
  giveUp(): void;
};

export function solvedRepairs(): SolvedRepairs {
  const solved = new Map<string, JointRepair | null>();
  const unsolved = new Map<string, RepairTask>();
  let isOver = false;
  return {
    repairFor(task) {
      const key = keyOf(task);
      const repair = solved.get(key);
      if (repair !== undefined) return repair;
      if (isOver) return null;
      unsolved.set(key, task);
      return 'unsolved';
    },
    async solve(solver) {
      const tasks = [...unsolved];
      unsolved.clear();
      for (const [key, task] of tasks) solved.set(key, await solver.fewestChanges(task));
      return tasks.length > 0;
    },
    giveUp() {
      isOver = true;
    },
  };
}

function keyOf({ roster, vacancies, at, known }: RepairTask): string {
  // As JSON, a map has no entries, so rosters that differ in one would have the same key.
  const facts = Object.entries(roster).map(([fact, value]) => [
    fact,
    value instanceof Map ? [...value] : value,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([facts, vacancies, at, known]))
    .digest('base64url');
}
