/**
 * Who may not be on call at the same time: two juniors, or two people whom a schedule names. Planning, covers, swaps
 * and warnings use these rules. They differ in how they look up who else is on call.
 */
import { t } from '../language/contract.ts';
import type { PlanRules } from './rules.ts';

/** Why two people are kept apart: both are still learning, or the schedule says so. */
export type ApartWhy = 'junior' | 'apart';

/** People who are never on call together: at most one of them at a time, in all stages and seats of the schedule. */
export type ApartGroup = { why: ApartWhy; people: readonly string[] };

/** The same, for looking people up. `Person` is an id or another name of a person. */
export type Apart<Person = string> = { why: ApartWhy; people: ReadonlySet<Person> };

/** Why a person cannot have a shift: somebody they are kept apart from is on call then. */
export type ApartRefusal = { because: 'junior'; junior: string } | { because: 'apart'; other: string };

/** The groups of a schedule, in a fixed order; people within a group are sorted by id. */
export function groupsApart({
  neverTwoJuniors,
  neverTogether = [],
  people = {},
}: Pick<PlanRules, 'neverTwoJuniors' | 'neverTogether' | 'people'>): ApartGroup[] {
  const juniors = Object.keys(people).filter((userId) => people[userId]?.level === 'junior');
  const groups: ApartGroup[] = [
    { why: 'junior', people: neverTwoJuniors ? juniors.sort() : [] },
    ...neverTogether.map((group): ApartGroup => ({ why: 'apart', people: group.toSorted() })),
  ];
  return groups.filter((group) => group.people.length > 0);
}

export function apartOf(groups: readonly ApartGroup[] = []): Apart[] {
  return groups.map(({ why, people }) => ({ why, people: new Set(people) }));
}

/** Why two people may not be on call at the same time; null if they may. */
export function apartBecause<Person>(
  groups: readonly Apart<Person>[],
  one: Person,
  other: Person,
): ApartWhy | null {
  if (one === other) return null;
  return groups.find(({ people }) => people.has(one) && people.has(other))?.why ?? null;
}

/** Everybody who may not be on call together with a person. */
export function apartFrom<Person>(groups: readonly Apart<Person>[], one: Person): Person[] {
  const others = groups.flatMap(({ people }) => (people.has(one) ? [...people] : []));
  return [...new Set(others)].filter((other) => other !== one);
}

export function apartRefusal(why: ApartWhy, other: string): ApartRefusal {
  return why === 'junior' ? { because: 'junior', junior: other } : { because: 'apart', other };
}

/** The id of the other person who excludes somebody from a shift. */
export function otherOf(refusal: { because: string; junior?: string; other?: string }): string | undefined {
  return refusal.because === 'junior' ? refusal.junior : refusal.other;
}

/** Why a person cannot have a shift. `name`: of that person; `other`: of the one who is on call then. */
export function apartText(why: ApartWhy, name: string, other: string): string {
  return why === 'junior'
    ? t('{name} cannot: {other}, who is also junior, is on call then', { name, other })
    : t('{name} cannot: {other} is on call then, and the two are never on call together', { name, other });
}
