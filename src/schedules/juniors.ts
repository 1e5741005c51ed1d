/**
 * “Never two juniors on call at the same time”: planning, covers, swaps and warnings read here who may not be on call
 * together; they differ in how they look up who else is on call.
 */
import type { PlanRules } from './rules.ts';

/**
 * Ids of the people of whom at most one may be on call at a time, in all stages and seats of the schedule; empty if two
 * may be.
 */
export function juniorsApart({
  neverTwoJuniors,
  people = {},
}: Pick<PlanRules, 'neverTwoJuniors' | 'people'>): string[] {
  if (!neverTwoJuniors) return [];
  return Object.keys(people)
    .filter((userId) => people[userId]?.level === 'junior')
    .sort();
}

/**
 * Whether two people may not be on call at the same time.
 * @param juniors what `juniorsApart` returned, or other names of these people
 */
export function areApart<Person>(
  juniors: { has(person: Person): boolean },
  one: Person,
  other: Person,
): boolean {
  return one !== other && juniors.has(one) && juniors.has(other);
}

/** Why a junior cannot have a shift, after their name. `other`: the name of the junior who is on call then. */
export function juniorText(other: string): string {
  return `cannot: ${other}, who is also junior, is on call then`;
}
