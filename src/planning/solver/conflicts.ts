import type { Choice } from '../../optimizer/program.ts';
import { type ApartRefusal, apartBecause, apartRefusal } from '../../schedules/apart.ts';
import { areNear } from '../../schedules/planner.ts';
import type { Problem, Slot } from './problem.ts';

/** Whether one person cannot have both slots, because they overlap or leave too little rest. */
export function conflict(a: Slot, b: Slot, restMs: number): boolean {
  const isOne = a.block !== null && a.block === b.block && a.stage === b.stage;
  const rest = isOne || (a.isAlwaysOn && b.isAlwaysOn && a.stage === b.stage) ? 0 : restMs;
  return areNear(a, b, 0) || (a.left !== null && b.left !== null && areNear(a.left, b.left, rest));
}

/** Whether two people who have these slots are on call at the same time. */
function meet(a: Slot, b: Slot): boolean {
  return a.left !== null && b.left !== null && areNear(a.left, b.left, 0);
}

/**
 * The person who has a slot at the same time and may not be on call together with a given person; null if there is
 * none. `changes`: slots that go to other people than in the plan.
 */
export function personApart(
  { apart, slots }: Problem,
  choice: Choice,
  slot: number,
  person: number,
  changes: ReadonlyMap<number, number> = new Map(),
): number | null {
  const own = slots[slot];
  if (!own || !apart.some(({ people }) => people.has(person))) return null;
  for (const [index, other] of slots.entries()) {
    // Slots are sorted by start.
    if (other.from >= own.to) break;
    const holder = changes.get(index) ?? choice[index] ?? -1;
    if (index !== slot && apartBecause(apart, person, holder) && meet(own, other)) return holder;
  }
  return null;
}

/** The same conflict as a reason why the person cannot have the slot. */
export function refusalApart(
  problem: Problem,
  choice: Choice,
  slot: number,
  person: number,
): ApartRefusal | null {
  const other = personApart(problem, choice, slot, person);
  const why = other === null ? null : apartBecause(problem.apart, person, other);
  const name = problem.people[other ?? -1];
  return why && name !== undefined ? apartRefusal(why, name) : null;
}

/**
 * Sets of simultaneous slots of which people who are kept apart may have at most one. `ofGroup`: indexes of the slots
 * that these people can take, ascending.
 */
export function meetings({ slots }: Problem, ofGroup: readonly number[]): number[][] {
  return cliquesOf(slots, ofGroup, 0, (a, b) => meet(a, b));
}

/**
 * Sets of mutually conflicting slots that together contain every conflicting pair. `ofPerson`: indexes of the slots
 * that a person can take, ascending by start.
 */
export function cliques({ slots, restMs }: Problem, ofPerson: readonly number[]): number[][] {
  return cliquesOf(slots, ofPerson, restMs, (a, b) => conflict(a, b, restMs));
}

/** `reachMs`: slots that are further apart never exclude each other. */
function cliquesOf(
  slots: Problem['slots'],
  some: readonly number[],
  reachMs: number,
  excludes: (a: Slot, b: Slot) => boolean,
): number[][] {
  const areExclusive = (a: Slot | undefined, b: Slot | undefined) => Boolean(a && b && excludes(a, b));
  const found: number[][] = [];
  let open: number[] = [];
  for (const index of some) {
    const slot = slots[index];
    if (!slot) continue;
    open = open.filter((other) => (slots[other]?.to ?? 0) + reachMs > slot.from);
    const against = open.filter((other) => areExclusive(slots[other], slot));
    const isClique = against.every((a, at) =>
      against.slice(at + 1).every((b) => areExclusive(slots[a], slots[b])),
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
