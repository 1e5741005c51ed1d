import type { Choice } from '../../optimizer/program.ts';
import { refusalAlone } from './companions.ts';
import { personApart } from './conflicts.ts';
import type { Problem } from './problem.ts';
import { exceeds } from './quotas.ts';
import { candidateOf, collides, collisions, heldBy, slotTerms } from './valuation.ts';

/** Slots that go to other people than in the plan. */
type Changes = ReadonlyMap<number, number>;

/** A plan, and the slots of each person in it. */
type State = { choice: Choice; held: readonly (readonly number[])[] };

/** After this many rounds, hardly anything is left to improve. */
const MOST_ROUNDS = 5;

/**
 * Fills gaps and gives published shifts back to their people, by giving single shifts or exchanging two. A solver that
 * ran out of time has filled gaps regardless of the moves that this caused. @param mayGoOn called before each shift;
 * false ends the work with the improvements so far
 */
export function withGivenBack(problem: Problem, choice: Choice, mayGoOn: () => boolean): Choice {
  let state: State = { choice, held: heldBy(problem, choice) };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = state;
    for (const [slot, { keptBy }] of problem.slots.entries()) {
      const holder = state.choice[slot] ?? -1;
      if (holder !== -1 && (keptBy === null || holder === keptBy)) continue;
      const able = (problem.candidates[slot] ?? []).map(({ person }) => person);
      for (const person of holder === -1 ? able : [keptBy ?? -1]) {
        if (!mayGoOn()) return state.choice;
        const changes = wayTo(problem, state, slot, person);
        if (!changes) continue;
        const changed = after(state.choice, changes);
        state = { choice: changed, held: heldBy(problem, changed) };
        break;
      }
    }
    if (state === before) break;
  }
  return state.choice;
}

function after(choice: Choice, changes: Changes): Choice {
  const changed = choice.slice();
  for (const [slot, person] of changes) changed[slot] = person;
  return changed;
}

/** How to give a slot to a person; null if that is impossible or costs more than it gains. */
function wayTo(problem: Problem, state: State, slot: number, person: number): Changes | null {
  const own = state.held[person] ?? [];
  const inTheWay = collisions(problem, slot, own);
  const alone = new Map([[slot, person]]);
  if (inTheWay.length === 0 && isBetter(problem, state, alone)) return alone;
  if (inTheWay.length > 1) return null;
  for (const other of inTheWay.length === 1 ? inTheWay : own) {
    const left = [...own.filter((one) => one !== other), slot].sort((a, b) => a - b);
    if (exceeds(problem.quotas, person, left)) continue;
    for (const { person: taker } of problem.candidates[other] ?? []) {
      const changes = new Map([...alone, [other, taker]]);
      if (taker !== person && isBetter(problem, state, changes)) return changes;
    }
  }
  return null;
}

/** Whether changes are possible, leave no more time uncovered, and move less. */
function isBetter(problem: Problem, state: State, changes: Changes): boolean {
  const among = new Set(changes.keys());
  const [was, is] = [state.choice, after(state.choice, changes)].map((choice) =>
    slotTerms(problem, choice, among),
  );
  if (!was || !is) return false;
  const coverage = is.uncovered + is.unanswered - (was.uncovered + was.unanswered);
  const moves = is.moved + is.movedSoon - (was.moved + was.movedSoon);
  return coverage <= 0 && (coverage < 0 || moves < 0) && isPossibleAfter(problem, state, changes);
}

function isPossibleAfter(problem: Problem, { choice, held }: State, changes: Changes): boolean {
  for (const [slot, person] of changes) {
    if (!candidateOf(problem, slot, person)) return false;
    const own = [...(held[person] ?? []).filter((one) => !changes.has(one)), slot];
    const gained = [...changes].flatMap(([one, taker]) => (taker === person && one !== slot ? [one] : []));
    const all = [...own, ...gained].sort((a, b) => a - b);
    if (collides(problem, slot, all) || exceeds(problem.quotas, person, all)) return false;
    if (personApart(problem, choice, slot, person, changes) !== null) return false;
  }
  return refusalAlone(problem, choice, changes, -1) === null;
}
