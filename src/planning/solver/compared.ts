import type { Compared, Standing } from '../../schedules/planner.ts';
import type { Alternative, Plan } from './alternatives.ts';
import type { Category } from './shares.ts';
import { candidateOf, personTerms, slotTerms } from './valuation.ts';

/** The most reasons that are given against another person, the weightiest first. */
const MOST_NAMED = 2;
/** Differences below these are not named: in points, and as a fraction of the largest difference. */
const LEAST = 0.05;
const LEAST_PART = 0.2;

type Weighed = { points: number; compared: Compared };

/**
 * Reasons against giving a slot to another person, weightiest first: everything that costs more in the plan with them.
 */
export function comparedBy(plan: Plan, slot: number, { userId, changes }: Alternative): Compared[] {
  const taker = plan.problem.people.indexOf(userId);
  const holder = plan.choice[slot] ?? -1;
  if (holder === -1) return [];
  const sides = [
    { who: 'holder', ...heldBefore(plan, holder, changes) },
    { who: 'taker', ...heldBefore(plan, taker, changes) },
  ] as const;
  const weighed = [
    ...sides.flatMap((side) => wishes(plan, slot, side)),
    ...movesOf(plan, changes),
    ...sharesOf(plan, sides[0], sides[1]),
  ].filter(({ points }) => points > LEAST);
  const most = Math.max(...weighed.map(({ points }) => points));
  return weighed
    .filter(({ points }) => points >= most * LEAST_PART)
    .sort((a, b) => b.points - a.points)
    .slice(0, MOST_NAMED)
    .map(({ compared }) => compared);
}

/** Reasons for and against the person who has a slot: their preferences, and their standing in the weightiest kind. */
export function ownStanding({ problem, choice, held }: Plan, slot: number): Compared[] {
  const holder = choice[slot] ?? -1;
  const candidate = candidateOf(problem, slot, holder);
  if (!candidate) return [];
  const [kind] = problem.categories.filter(({ counts }) => counts[slot]).sort((a, b) => b.weight - a.weight);
  const own = held[holder] ?? [];
  return [
    ...(candidate.isRequested ? [{ what: 'requested', who: 'holder' } as const] : []),
    ...(candidate.isSoft ? [{ what: 'soft', who: 'holder' } as const] : []),
    ...(kind ? [{ what: 'share', kind: kind.name, holder: standing(kind, holder, own) } as const] : []),
  ];
}

type Side = { person: number; before: readonly number[]; after: readonly number[] };

/** What a person has in the plan with these changes. */
function heldBefore({ held }: Plan, person: number, changes: ReadonlyMap<number, number>): Side {
  const before = held[person] ?? [];
  const given = [...changes].flatMap(([slot, to]) => (to === person ? [slot] : []));
  const after = [...before.filter((slot) => !changes.has(slot)), ...given].sort((a, b) => a - b);
  return { person, before, after };
}

function wishes({ problem }: Plan, slot: number, side: Side & { who: 'holder' | 'taker' }): Weighed[] {
  const { person, before, after, who } = side;
  const [was, is] = [personTerms(problem, person, before), personTerms(problem, person, after)];
  const isPiece = (problem.slots[slot]?.block ?? null) !== null;
  return [
    { points: is.soft - was.soft, compared: { what: 'soft', who } },
    { points: is.elsewhere - was.elsewhere, compared: { what: 'elsewhere', who } },
    { points: is.requested - was.requested, compared: { what: 'requested', who } },
    {
      points: is.backToBack - was.backToBack,
      compared: isPiece ? { what: 'pieces' } : { what: 'beside', who },
    },
  ];
}

function movesOf({ problem, choice }: Plan, changes: ReadonlyMap<number, number>): Weighed[] {
  const slots = new Set(changes.keys());
  const changed = choice.slice();
  for (const [slot, person] of changes) changed[slot] = person;
  const [was, is] = [slotTerms(problem, choice, slots), slotTerms(problem, changed, slots)];
  const points = is.moved + is.movedSoon - was.moved - was.movedSoon;
  return [{ points, compared: { what: 'moved' } }];
}

function sharesOf({ problem }: Plan, holder: Side, taker: Side): Weighed[] {
  return problem.categories.map((category) => {
    const points = [holder, taker].reduce((sum, { person, before, after }) => {
      const deviation = (slots: readonly number[]) =>
        (countIn(category, slots) - (category.targets[person] ?? 0)) ** 2;
      return sum + category.weight * (deviation(after) - deviation(before));
    }, 0);
    const compared: Compared = {
      ...{ what: 'share', kind: category.name },
      holder: standing(category, holder.person, holder.before),
      taker: standing(category, taker.person, taker.before),
    };
    return { points, compared };
  });
}

function standing(category: Category, person: number, slots: readonly number[]): Standing {
  const carried = category.carried[person] ?? 0;
  return {
    has: tenths(carried + countIn(category, slots)),
    fair: tenths(carried + (category.targets[person] ?? 0)),
  };
}

function countIn({ counts }: Category, slots: readonly number[]): number {
  return slots.filter((slot) => counts[slot]).length;
}

function tenths(value: number): number {
  // Adding zero turns −0 into 0.
  return Math.round(value * 10) / 10 + 0;
}
