import { areNear } from '../../schedules/planner.ts';
import type { Problem, Slot } from './problem.ts';

/** Whether one person cannot have both slots, because they overlap or leave too little rest. */
export function conflict(a: Slot, b: Slot, restMs: number): boolean {
  const isOne = a.block !== null && a.block === b.block && a.stage === b.stage;
  const rest = isOne || (a.isAlwaysOn && b.isAlwaysOn && a.stage === b.stage) ? 0 : restMs;
  return areNear(a, b, 0) || (a.left !== null && b.left !== null && areNear(a.left, b.left, rest));
}

/**
 * Sets of mutually conflicting slots that together contain every conflicting pair. `ofPerson`: indexes of the slots
 * that a person can take, ascending by start.
 */
export function cliques({ slots, restMs }: Problem, ofPerson: readonly number[]): number[][] {
  const found: number[][] = [];
  let open: number[] = [];
  for (const index of ofPerson) {
    const slot = slots[index];
    if (!slot) continue;
    open = open.filter((other) => (slots[other]?.to ?? 0) + restMs > slot.from);
    const against = open.filter((other) => isConflict(slots[other], slot, restMs));
    const isClique = against.every((a, at) =>
      against.slice(at + 1).every((b) => isConflict(slots[a], slots[b], restMs)),
    );
    if (isClique) addMaximal(found, [...against, index]);
    else for (const other of against) found.push([other, index]);
    open.push(index);
  }
  return found.filter((clique) => clique.length > 1);
}

/** Replaces the last set if the new one contains it. */
function addMaximal(found: number[][], clique: number[]): void {
  const before = found.at(-1);
  if (before?.every((index) => clique.includes(index))) found.pop();
  found.push(clique);
}

function isConflict(a: Slot | undefined, b: Slot | undefined, restMs: number): boolean {
  return a !== undefined && b !== undefined && conflict(a, b, restMs);
}
