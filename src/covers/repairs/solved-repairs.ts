import { createHash } from 'node:crypto';
import type { JointRepair, RepairSolver, RepairTask } from './fewest.ts';

/** Repairs that were solved already. */
export type Repairs = {
  /** Null when the solver found nothing. */
  repairFor(task: RepairTask): JointRepair | null | 'unsolved';
};

/** For those who cannot wait: whatever has to be solved is left to the duty that settles covers. */
export const NOTHING_SOLVED: Repairs = { repairFor: () => 'unsolved' };

/** Repairs of which those that were asked for can be solved, no transaction waiting for it. */
export type SolvedRepairs = Repairs & {
  /** Solves what was asked for and not known; false when that was nothing. */
  solve(solver: RepairSolver): Promise<boolean>;
  /** From now on nothing more is solved: what is not known counts as not found. */
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

function keyOf({ roster, hits, at, known }: RepairTask): string {
  const { members, seats, absences, wishes, elsewhere, ...rest } = roster;
  const maps = [members, seats, absences, wishes, elsewhere].map((map) => [...map]);
  return createHash('sha256')
    .update(JSON.stringify([rest, maps, hits, at, known]))
    .digest('base64url');
}
