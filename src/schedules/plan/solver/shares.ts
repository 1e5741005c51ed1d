import { isAwayFor } from '../absences.ts';
import { type PlanInput, type StageInput, type Stint, served, shareStart } from '../planner.ts';
import type { PlanRules } from '../rules.ts';
import type { Burden } from './burdens.ts';
import type { OpenPlace } from './problem.ts';
import { WEIGHTS } from './weights.ts';

export type CategoryName = 'total' | 'first' | Burden;

/** A kind of shift of which everybody should have their share. */
export type Category = {
  name: CategoryName;
  weight: number;
  /** By slot: whether it counts. */
  counts: readonly boolean[];
  /** By person: how many of the slots would be their share, what they carried so far taken off. Any number. */
  targets: readonly number[];
};

type Known = Stint & { stage: StageInput; userId: string | null };
type Counts = (shift: Stint, stage: StageInput) => boolean;

/**
 * The share of somebody is in proportion to the shifts, of the past and to come, that they could have taken: absences
 * and the time before joining do not count. A kind that tells no shift from another is left out.
 */
export function categoriesOf(
  input: PlanInput,
  people: readonly string[],
  open: readonly OpenPlace[],
  burdens: (shift: Stint) => ReadonlySet<Burden>,
  weights: PlanRules['weights'],
): Category[] {
  const lowest = Math.min(...input.stages.map(({ stage }) => stage));
  const rules: [CategoryName, Counts][] = [
    ['total', () => true],
    ['first', (_, { stage }) => stage === lowest],
    ['night', (shift) => burdens(shift).has('night')],
    ['weekend', (shift) => burdens(shift).has('weekend')],
    ['holiday', (shift) => burdens(shift).has('holiday')],
  ];
  return rules.flatMap(([name, isOne]) => {
    const counts = open.map(({ place, stage }) => isOne(place, stage));
    if (name !== 'total' && (counts.every(Boolean) || !counts.some(Boolean))) return [];
    const weight = WEIGHTS[name] * (name === 'total' || name === 'first' ? 1 : weights[name]);
    if (weight === 0) return [];
    return [{ name, weight, counts, targets: targetsOf(input, people, open, isOne) }];
  });
}

function targetsOf(
  input: PlanInput,
  people: readonly string[],
  open: readonly OpenPlace[],
  isOne: Counts,
): number[] {
  const decided = decidedShifts(input).filter((shift) => isOne(shift, shift.stage));
  const coming = open
    .filter(({ place, stage }) => isOne(place, stage))
    .map(({ place, stage }) => ({ ...served(place), stage, userId: null }));
  const carried = people.map((userId) => carriedBy(userId, decided));
  const present = people.map((userId) => presentAt(userId, [...decided, ...coming], input));
  const shifts = coming.length + sum(carried);
  const all = sum(present);
  return people.map((_, person) => {
    const share = all === 0 ? 0 : ((present[person] ?? 0) * shifts) / all;
    return share - (carried[person] ?? 0);
  });
}

/** The past, and what stands whatever happens. */
function decidedShifts({ stages }: PlanInput): Known[] {
  return stages.flatMap((stage) => [
    ...stage.past.map(({ from, to, parts, userId }) => ({
      from,
      to,
      ...(parts ? { parts } : {}),
      userId,
      stage,
    })),
    ...stage.places
      .filter(({ fixed }) => fixed)
      .map(({ from, to, parts, kept }) => ({
        ...{ from, to, ...(parts ? { parts } : {}) },
        userId: kept?.userId ?? null,
        stage,
      })),
  ]);
}

function carriedBy(userId: string, decided: readonly Known[]): number {
  return decided.filter((shift) => shift.userId === userId && shift.to > startOf(userId, shift.stage)).length;
}

/** How many of the times somebody could have taken a shift: several at once are one. */
function presentAt(userId: string, shifts: readonly Known[], { records, smallAbsenceMs }: PlanInput): number {
  const own = records.get(userId) ?? [];
  const starts = new Set<number>();
  for (const shift of shifts)
    if (shift.to > startOf(userId, shift.stage) && !isAwayFor(own, shift, smallAbsenceMs))
      starts.add(shift.from);
  return starts.size;
}

function startOf(userId: string, { members }: StageInput): number {
  const member = members.find((one) => one.userId === userId);
  return member ? shareStart(member) : Number.POSITIVE_INFINITY;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
