import type { Choice } from '../../optimizer/program.ts';
import { areTogether } from '../opening.ts';
import { isAlone } from './companions.ts';
import { conflict, personApart } from './conflicts.ts';
import { moveCost, moveUnits } from './costs.ts';
import type { Candidate, Problem } from './problem.ts';
import { exceeds } from './quotas.ts';
import { WEIGHTS } from './weights.ts';

/** What a plan costs, in points; `requested` is negative, the others are not. */
export type Terms = {
  uncovered: number;
  unanswered: number;
  moved: number;
  /** Surcharge for moved shifts that begin within three days. */
  movedSoon: number;
  soft: number;
  elsewhere: number;
  requested: number;
  backToBack: number;
  shares: number;
};

export function termsOf(problem: Problem, choice: Choice): Terms {
  const held = heldBy(problem, choice);
  const terms = {
    ...slotTerms(problem, choice),
    soft: 0,
    elsewhere: 0,
    requested: 0,
    backToBack: 0,
    shares: 0,
  };
  for (const [person, slots] of held.entries()) {
    const own = personTerms(problem, person, slots);
    terms.soft += own.soft;
    terms.elsewhere += own.elsewhere;
    terms.requested += own.requested;
    terms.backToBack += own.backToBack;
    terms.shares += own.shares;
  }
  return terms;
}

export function totalOf(terms: Partial<Terms>): number {
  return Object.values(terms).reduce((sum, value) => sum + value, 0);
}

/** By person: the slots that they have, ascending. */
export function heldBy({ people }: Problem, choice: Choice): number[][] {
  const held: number[][] = people.map(() => []);
  for (const [slot, person] of choice.entries()) held[person]?.push(slot);
  return held;
}

/** Costs of single slots. `among`: count only these slots, and only the times that they are part of. */
export function slotTerms(
  problem: Problem,
  choice: Choice,
  among: ReadonlySet<number> | null = null,
): Pick<Terms, 'uncovered' | 'unanswered' | 'moved' | 'movedSoon'> {
  const { slots, lastAnswers, lastAnswerOf } = problem;
  const { points } = moveCost(problem);
  const terms = { uncovered: 0, unanswered: 0, moved: 0, movedSoon: 0 };
  for (const slot of among ?? slots.keys()) {
    if (choice[slot] === -1) terms.uncovered += slots[slot]?.uncoveredWeight ?? 0;
    if (!isMoved(slots[slot]?.keptBy ?? null, choice[slot] ?? -1)) continue;
    terms.moved += points;
    terms.movedSoon += points * (moveUnits(problem, slot) - 1);
  }
  const ofThese = [...(among ?? [])]
    .map((slot) => lastAnswerOf.get(slot))
    .filter((group) => group !== undefined);
  for (const group of among ? new Set(ofThese) : lastAnswers)
    if (group.every((slot) => choice[slot] === -1)) terms.unanswered += WEIGHTS.unanswered;
  return terms;
}

function isMoved(keptBy: number | null, person: number): boolean {
  return keptBy !== null && keptBy !== person;
}

/** Costs that depend on one person's slots; `slots` ascending. */
export function personTerms(
  problem: Problem,
  person: number,
  slots: readonly number[],
): Pick<Terms, 'soft' | 'elsewhere' | 'requested' | 'backToBack' | 'shares'> {
  const terms = { soft: 0, elsewhere: 0, requested: 0, backToBack: 0, shares: 0 };
  for (const [at, slot] of slots.entries()) {
    const candidate = candidateOf(problem, slot, person);
    if (candidate?.isSoft) terms.soft += WEIGHTS.soft;
    if (candidate?.isElsewhere) terms.elsewhere += WEIGHTS.elsewhere;
    if (candidate?.isRequested) terms.requested -= WEIGHTS.requested;
    terms.backToBack += (candidate?.beside ?? 0) * WEIGHTS.backToBack;
    terms.backToBack += pairPoints(problem, endingAt(problem, slots, at), slot);
  }
  for (const { weight, counts, targets } of problem.categories) {
    const count = slots.filter((slot) => counts[slot]).length;
    terms.shares += weight * (count - (targets[person] ?? 0)) ** 2;
  }
  return terms;
}

/**
 * The slot of a person that ends where one of their slots begins: the one before it, or an earlier one, because shifts
 * with hours begin in the pauses of others.
 */
function endingAt({ slots }: Problem, own: readonly number[], at: number): number | undefined {
  const begins = slots[own[at] ?? -1]?.from;
  for (let before = at - 1; before >= 0; before--)
    if (slots[own[before] ?? -1]?.to === begins) return own[before];
  return undefined;
}

/** Points for two slots of one person of which one ends where the other begins. */
function pairPoints({ slots }: Problem, before: number | undefined, after: number): number {
  const [a, b] = [slots[before ?? -1], slots[after]];
  if (!a || !b) return 0;
  if (areTogether(a, b)) return -WEIGHTS.together;
  return a.block === null && b.block === null ? WEIGHTS.backToBack : 0;
}

export function candidateOf({ candidates }: Problem, slot: number, person: number): Candidate | undefined {
  return candidates[slot]?.find((candidate) => candidate.person === person);
}

/** Whether everybody is eligible for what they have. Checked for every plan, from the solver or not. */
export function isPossible(problem: Problem, choice: Choice): boolean {
  if (choice.length !== problem.slots.length) return false;
  if (choice.some((person, slot) => person !== -1 && !candidateOf(problem, slot, person))) return false;
  if (choice.some((person, slot) => personApart(problem, choice, slot, person) !== null)) return false;
  if (choice.some((person, slot) => person !== -1 && isAlone(problem, choice, slot, person))) return false;
  return heldBy(problem, choice).every(
    (slots, person) =>
      slots.every((slot, at) => !collides(problem, slot, slots.slice(at + 1))) &&
      !exceeds(problem.quotas, person, slots),
  );
}

/** Whether a person cannot have a slot together with one of `others`. */
export function collides(problem: Problem, slot: number, others: readonly number[]): boolean {
  return collisions(problem, slot, others).length > 0;
}

export function collisions({ slots, restMs }: Problem, slot: number, others: readonly number[]): number[] {
  const own = slots[slot];
  return others.filter((other) => {
    const against = slots[other];
    return other !== slot && own && against && conflict(own, against, restMs);
  });
}
