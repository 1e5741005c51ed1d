import { intersects } from '../../kit/interval.ts';
import type { Choice } from '../../optimizer/program.ts';
import { isNotPlanned } from '../../schedules/person-times.ts';
import type { Because, Refusal } from '../../schedules/planner.ts';
import { refusalAlone } from './companions.ts';
import { personApart, refusalApart } from './conflicts.ts';
import type { Problem, Refused } from './problem.ts';
import { exceeded, exceeds } from './quotas.ts';
import { candidateOf, collides, collisions, personTerms, slotTerms, totalOf } from './valuation.ts';

/**
 * A person who could have had a shift. `cost`: by how many points the plan would be worse, never negative in a plan
 * that is proven best. `swap`: the shift that would go the other way, because they cannot have both.
 */
export type Alternative = {
  userId: string;
  cost: number;
  swap: { stage: number; from: number; to: number } | null;
  /** The slots that would change hands, with the person who would have them. */
  changes: ReadonlyMap<number, number>;
};

/** A complete plan. `held`: the slots of each person, ascending. */
export type Plan = { problem: Problem; choice: Choice; held: readonly (readonly number[])[] };

/** Other people who could have had a slot, cheapest first, and why the rest could not. */
export function othersFor(plan: Plan, slot: number): { alternatives: Alternative[]; refused: Refused[] } {
  const { problem, choice, held } = plan;
  const alternatives: Alternative[] = [];
  const refused = (problem.refused[slot] ?? []).map(({ userId, ...refusal }): Refused => {
    const { because } = refusal;
    const against = collisions(problem, slot, held[problem.people.indexOf(userId)] ?? []);
    const isMeanwhile = because !== 'unavailable' && !isNotPlanned(because) && against.length > 0;
    return { userId, ...(isMeanwhile ? { because: becauseOf(problem, slot, against) } : refusal) };
  });
  for (const { person } of problem.candidates[slot] ?? []) {
    const userId = problem.people[person];
    if (userId === undefined || person === choice[slot]) continue;
    const against = collisions(problem, slot, held[person] ?? []);
    const alternative = exchange(plan, slot, person, against);
    if (alternative) alternatives.push({ userId, ...alternative });
    else refused.push({ userId, ...refusalOf(plan, slot, person, against) });
  }
  refused.sort((a, b) => (a.userId < b.userId ? -1 : 1));
  return { alternatives: alternatives.sort((a, b) => a.cost - b.cost), refused };
}

function refusalOf(
  { problem, choice, held }: Plan,
  slot: number,
  person: number,
  against: readonly number[],
): Refusal {
  if (against.length > 0) return { because: becauseOf(problem, slot, against) };
  const apart = refusalApart(problem, choice, slot, person);
  if (apart) return apart;
  const alone = refusalAlone(problem, choice, new Map([[slot, person]]), person);
  if (alone) return alone;
  const limit = exceeded(problem.quotas, person, [...(held[person] ?? []), slot]);
  return { because: 'limit', ...(limit ? { limit } : {}) };
}

/**
 * Gives the slot to another person, in exchange for a conflicting one if necessary. Null if more would have to change.
 */
function exchange(
  plan: Plan,
  slot: number,
  taker: number,
  against: readonly number[],
): Omit<Alternative, 'userId'> | null {
  const { problem, choice, held } = plan;
  const giver = choice[slot] ?? -1;
  const [back] = against;
  const isFull = (person: number, slots: readonly number[]) => exceeds(problem.quotas, person, slots);
  if (back === undefined) {
    if (isFull(taker, [...(held[taker] ?? []), slot])) return null;
    if (personApart(problem, choice, slot, taker) !== null) return null;
    const changes = new Map([[slot, taker]]);
    if (refusalAlone(problem, choice, changes, taker)) return null;
    return { cost: costOf(plan, changes), swap: null, changes };
  }
  const kept = (held[giver] ?? []).filter((other) => other !== slot);
  const changes = new Map([
    [slot, taker],
    [back, giver],
  ]);
  const canSwap =
    giver !== -1 &&
    against.length === 1 &&
    candidateOf(problem, back, giver) !== undefined &&
    !collides(problem, back, kept) &&
    !isFull(giver, [...kept, back]) &&
    !isFull(taker, [...(held[taker] ?? []).filter((other) => other !== back), slot]) &&
    [...changes].every(([index, person]) => personApart(problem, choice, index, person, changes) === null) &&
    refusalAlone(problem, choice, changes, taker) === null;
  const own = problem.slots[back];
  if (!canSwap || !own) return null;
  return { cost: costOf(plan, changes), swap: { stage: own.stage, from: own.from, to: own.to }, changes };
}

/** By how many points the plan gets worse if these slots go to other people. */
function costOf({ problem, choice, held }: Plan, changes: ReadonlyMap<number, number>): number {
  // This runs for every person and each of their shifts: copy the plan and evaluate only the changes.
  const after = choice.slice();
  for (const [slot, person] of changes) after[slot] = person;
  const slots = new Set(changes.keys());
  const people = new Set([...slots].flatMap((slot) => [choice[slot] ?? -1, after[slot] ?? -1]));
  people.delete(-1);
  let cost = totalOf(slotTerms(problem, after, slots)) - totalOf(slotTerms(problem, choice, slots));
  for (const person of people) {
    const before = held[person] ?? [];
    const given = [...slots].filter((slot) => after[slot] === person);
    const now = [...before.filter((slot) => !slots.has(slot)), ...given].sort((a, b) => a - b);
    cost += totalOf(personTerms(problem, person, now)) - totalOf(personTerms(problem, person, before));
  }
  return cost;
}

function becauseOf({ slots }: Problem, slot: number, against: readonly number[]): Because {
  const own = slots[slot];
  const others = against.flatMap((other) => slots[other] ?? []);
  const meanwhile = others.filter((other) => own && intersects(other, own));
  if (meanwhile.some(({ stage }) => stage === own?.stage)) return 'seated';
  return meanwhile.length > 0 ? 'busy' : 'rest';
}
