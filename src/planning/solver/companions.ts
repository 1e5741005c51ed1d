import { type Interval, intersects } from '../../kit/interval.ts';
import type { Choice } from '../../optimizer/program.ts';
import { type AloneRefusal, type OnlyWith, timesAlone } from '../../schedules/companions.ts';
import type { Stint } from '../../schedules/planner.ts';
import type { Duties } from '../duties.ts';
import type { Problem, Slot } from './problem.ts';

/** A rule about people who are on call only together with others, for the slots of a problem. */
export type Companions = {
  people: ReadonlySet<number>;
  with: ReadonlySet<number>;
  /** The ids of the companions, including those who are not members. */
  names: readonly string[];
  /**
   * By slot: the slots beside it, for each part of its time. A companion must have one slot of each list. Times at
   * which a companion is on call regardless of the plan are left out.
   */
  needs: readonly (readonly (readonly number[])[])[];
  /** By slot: the slots that have it beside them. */
  neededBy: readonly (readonly number[])[];
};

export function companionsIn(
  rules: readonly OnlyWith[],
  people: readonly string[],
  slots: readonly Slot[],
  duties: Duties,
): Companions[] {
  if (rules.length === 0) return [];
  const beside = besideOf(slots);
  return rules.map((rule) => {
    const onCall = rule.with.flatMap((userId) => duties.of(userId).filter(({ elsewhere }) => !elsewhere));
    const fixed = onCall.flatMap(spansOf);
    const needs = slots.map((slot, index) => needsOf(slot, beside[index] ?? [], slots, fixed));
    const neededBy: number[][] = slots.map(() => []);
    for (const [index, lists] of needs.entries())
      for (const other of new Set(lists.flat())) neededBy[other]?.push(index);
    const isWith = (userId: string) => rule.with.includes(userId);
    const isMeant = (userId: string) => rule.people?.includes(userId) ?? !isWith(userId);
    const indexes = (is: (userId: string) => boolean) =>
      new Set(people.keys().filter((person) => is(people[person] ?? '')));
    return { people: indexes(isMeant), with: indexes(isWith), names: rule.with, needs, neededBy };
  });
}

function spansOf({ parts, from, to }: Stint): readonly Interval[] {
  return parts ?? [{ from, to }];
}

function leftOf({ left }: Slot): readonly Interval[] {
  return left ? spansOf(left) : [];
}

/** By slot: the slots that overlap it. Slots are sorted by start. */
function besideOf(slots: readonly Slot[]): number[][] {
  const beside: number[][] = slots.map(() => []);
  let open: number[] = [];
  for (const [index, slot] of slots.entries()) {
    open = open.filter((other) => (slots[other]?.to ?? 0) > slot.from);
    for (const other of open) {
      beside[other]?.push(index);
      beside[index]?.push(other);
    }
    open.push(index);
  }
  return beside;
}

function needsOf(
  slot: Slot,
  beside: readonly number[],
  slots: readonly Slot[],
  fixed: readonly Interval[],
): number[][] {
  const near = fixed.filter((span) => intersects(span, slot));
  const open = timesAlone(leftOf(slot), near);
  const times = beside.flatMap((other) => leftOf(slots[other] ?? slot)).flatMap(({ from, to }) => [from, to]);
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const lists = open.flatMap(({ from, to }) => {
    const bounds = [from, ...sorted.filter((at) => from < at && at < to)];
    return bounds.map((at) =>
      beside.filter((other) => leftOf(slots[other] ?? slot).some((span) => span.from <= at && at < span.to)),
    );
  });
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}

const UNCHANGED: ReadonlyMap<number, number> = new Map();

/**
 * The first rule that excludes a person from a slot, because no companion is on call for part of it. Null if there is
 * none. `changes`: slots that go to other people than in the plan.
 */
function ruleAgainst(
  { companions }: Pick<Problem, 'companions'>,
  choice: Choice,
  slot: number,
  person: number,
  changes: ReadonlyMap<number, number>,
): Companions | null {
  const isCompanion = (rule: Companions) => (other: number) => {
    const holder = changes.get(other) ?? choice[other] ?? -1;
    return holder !== person && rule.with.has(holder);
  };
  const isAlone = (rule: Companions) =>
    rule.people.has(person) && !(rule.needs[slot] ?? []).every((list) => list.some(isCompanion(rule)));
  return companions.find(isAlone) ?? null;
}

/** Whether a person would have a slot without a companion. */
export function isAlone(
  problem: Pick<Problem, 'companions'>,
  choice: Choice,
  slot: number,
  person: number,
  changes: ReadonlyMap<number, number> = UNCHANGED,
): boolean {
  return ruleAgainst(problem, choice, slot, person, changes) !== null;
}

/**
 * Why some changes would leave somebody without a companion; null if they would not. `taker`: the person who would take
 * the slot.
 */
export function refusalAlone(
  problem: Pick<Problem, 'companions' | 'people'>,
  choice: Choice,
  changes: ReadonlyMap<number, number>,
  taker: number,
): AloneRefusal | null {
  if (problem.companions.length === 0) return null;
  const changed = [...changes.keys()];
  const concerned = new Set([
    ...changed,
    ...changed.flatMap((slot) => problem.companions.flatMap(({ neededBy }) => neededBy[slot] ?? [])),
  ]);
  for (const slot of concerned) {
    const person = changes.get(slot) ?? choice[slot] ?? -1;
    const rule = person === -1 ? null : ruleAgainst(problem, choice, slot, person, changes);
    if (!rule) continue;
    const userId = problem.people[person] ?? '';
    const others = rule.names.filter((other) => other !== userId);
    return { because: 'alone', with: others, ...(person === taker ? {} : { alone: userId }) };
  }
  return null;
}

/** A plan without the slots of people who would have no companion. */
export function withoutAlone(problem: Problem, choice: Choice): Choice {
  const made = [...choice];
  for (let changed = true; changed; ) {
    changed = false;
    for (const [slot, person] of made.entries())
      if (person !== -1 && isAlone(problem, made, slot, person)) {
        made[slot] = -1;
        changed = true;
      }
  }
  return made;
}
