import { overlap, type Place, type StageInput } from '../schedules/planner.ts';
import type { Duties } from './duties.ts';

/** A place that is still open. */
export type Demand = { stage: StageInput; place: Place };

/**
 * The people in `able` who should leave a place to others, because more places at that time can be filled if they take
 * another one. Ignores rest between shifts.
 */
export function neededElsewhere(
  able: readonly string[],
  demands: readonly Demand[],
  duties: Duties,
): ReadonlySet<string> {
  const takers = asOnePerson(duties);
  const asTaker = (userId: string) => takers.get(userId) ?? userId;
  const choices = demands.map(({ stage, place }) =>
    stage.members
      .map(({ userId }) => userId)
      .filter((userId) => duties.absence(userId, stage, place) === null)
      .map(asTaker),
  );
  // If every place has more candidates than there are places, nobody can be missing.
  if (choices.every((users) => new Set(users).size > choices.length)) return new Set();
  const filled = able.map((userId) => mostFilled(choices, asTaker(userId)));
  const best = Math.max(...filled);
  return new Set(able.filter((_, index) => (filled[index] ?? 0) < best));
}

/** People who are never on call together count as one person. A person in two groups counts in the first. */
function asOnePerson({ groups }: Duties): ReadonlyMap<string, string> {
  const takers = new Map<string, string>();
  for (const { people } of groups) {
    const free = people.filter((userId) => !takers.has(userId));
    for (const userId of free) takers.set(userId, free[0] ?? userId);
  }
  return takers;
}

/** How many demands can be met at once without one person: a maximum matching by augmenting paths. */
function mostFilled(choices: readonly (readonly string[])[], without: string): number {
  const taken = new Map<string, number>();
  const place = (demand: number, tried: Set<string>): boolean => {
    for (const userId of choices[demand] ?? []) {
      if (userId === without || tried.has(userId)) continue;
      tried.add(userId);
      const holder = taken.get(userId);
      if (holder !== undefined && !place(holder, tried)) continue;
      taken.set(userId, demand);
      return true;
    }
    return false;
  };
  return choices.filter((_, demand) => place(demand, new Set())).length;
}

/** Returns a function that finds the places overlapping a span; call it in order of time. */
export function sweep(demands: readonly Demand[]): (span: { from: number; to: number }) => Demand[] {
  const sorted = [...demands].sort((a, b) => a.place.from - b.place.from);
  let start = 0;
  return (span) => {
    while ((sorted[start]?.place.to ?? Number.POSITIVE_INFINITY) <= span.from) start++;
    const found: Demand[] = [];
    for (let index = start; ; index++) {
      const demand = sorted[index];
      if (!demand || demand.place.from >= span.to) return found;
      if (overlap(demand.place, span)) found.push(demand);
    }
  };
}
