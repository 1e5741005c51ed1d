import { overlap, type Place, type StageInput } from '../schedules/planner.ts';
import type { Duties } from './duties.ts';

/** A place that still has to be filled at the time of another. */
export type Demand = { stage: StageInput; place: Place };

/**
 * Those of `able` who should leave a place to others, because with them elsewhere more of the places at that time
 * can be filled. Rest between shifts is left out of account.
 */
export function neededElsewhere(
  able: readonly string[],
  demands: readonly Demand[],
  duties: Duties,
): ReadonlySet<string> {
  const choices = demands.map(({ stage, place }) =>
    stage.members
      .map(({ userId }) => userId)
      .filter((userId) => duties.absence(userId, stage, place) === null),
  );
  // With so many to choose from, nobody can be missing anywhere.
  if (choices.every((users) => users.length > choices.length)) return new Set();
  const filled = able.map((userId) => mostFilled(choices, userId));
  const best = Math.max(...filled);
  return new Set(able.filter((_, index) => (filled[index] ?? 0) < best));
}

/** How many demands can be met at once without somebody: the largest matching, by augmenting paths. */
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

/** Finds the places that overlap a span, asked in the order of time. */
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
