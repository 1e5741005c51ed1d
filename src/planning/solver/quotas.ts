import { type Interval, intersects, union, without } from '../../kit/interval.ts';
import { countedElsewhere } from '../../schedules/elsewhere.ts';
import { isAllTaken, leftOf } from '../../schedules/ledger.ts';
import {
  type Busy,
  type Counted,
  type Exceeded,
  exceededAs,
  type Free,
  follows,
  isMore,
  type Limit,
  type LimitName,
  limitsIn,
  longestFree,
  longestWith,
  type Row,
  restsIn,
  type Step,
  type Sum,
  withoutRestIn,
} from '../../schedules/limits.ts';
import type { PlanInput, Stint } from '../../schedules/planner.ts';
import { limitsOfPerson, type PlanRules } from '../../schedules/rules.ts';
import type { Duties, Duty } from '../duties.ts';
import type { Candidate, OpenPlace } from './problem.ts';

/** An amount that counts once, however many of these slots a person has. */
export type Unit = { slots: readonly number[]; amount: number };

/** A place in a row, which a person has through any of these slots, or already has. */
export type RowUnit = Step & { slots: readonly number[]; isHad: boolean };

/** A time of a week that could be its rest, unless the person has any of these slots. */
export type RestUnit = Interval & { slots: readonly number[] };

/** A limit of one person that some plans would exceed. */
export type Quota = { person: number; limit: LimitName; limitMost: number } & (
  | {
      kind: 'sum';
      /** At most this many of the units. The person already has `had` in the same period. */
      most: number;
      had: number;
      units: readonly Unit[];
      averageWeeks?: number;
    }
  | {
      kind: 'row';
      /** Ascending. At most `most` of them in a row, except rows that contain no slot. */
      most: number;
      slack: number;
      units: readonly RowUnit[];
    }
  | {
      kind: 'free';
      /** With any of `slots`, which are in the week, one of `rests` has to be free. */
      rests: readonly RestUnit[];
      slots: readonly number[];
      /** The limit that a person with these slots exceeds. */
      exceeded(held: ReadonlySet<number>): Exceeded;
    }
);

type Facts = {
  timeZone: string;
  people: readonly string[];
  open: readonly OpenPlace[];
  candidates: readonly (readonly Candidate[])[];
  duties: Duties;
};

/** The limits that can be exceeded, reduced by the fixed shifts of each person. */
export function quotasOf(
  { stages }: Pick<PlanInput, 'stages'>,
  rules: Pick<PlanRules, 'limits' | 'people'>,
  { timeZone, people, open, candidates, duties }: Facts,
): Quota[] {
  const limitsFrom = limitsIn(timeZone);
  const wholes = wholesOf(stages);
  const counted = open.map(countedPlace);
  return people.flatMap((userId, person) => {
    const limits = limitsFrom(limitsOfPerson(rules, userId));
    if (limits.length === 0) return [];
    const [elsewhere, own] = partition(duties.of(userId), (duty) => duty.elsewhere !== undefined);
    const away = elsewhere.flatMap((duty) => duty.parts ?? [duty]);
    const had: Had = {
      own: countedDuties(own, wholes),
      elsewhere: countedElsewhere(
        elsewhere.flatMap((duty) => duty.elsewhere ?? []),
        union(own.flatMap((duty) => duty.parts ?? [duty])),
      ),
    };
    const mine = counted.flatMap((shift, slot): Mine[] =>
      shift && candidates[slot]?.some((one) => one.person === person)
        ? [{ slot, shift: besides(shift, away), full: shift, isKept: isKeptBy(open[slot], userId) }]
        : [],
    );
    return limits.flatMap((limit): Quota[] => {
      const common = { person, limit: limit.name, limitMost: limit.most };
      return quotasOfLimit(limit, had, mine).map((quota): Quota => ({ ...common, ...quota }));
    });
  });
}

function quotasOfLimit(limit: Limit, had: Had, mine: readonly Mine[]) {
  if (limit.kind === 'sum') return sums(limit, had, mine);
  return limit.kind === 'row' ? rows(limit, had, mine) : rests(limit, had, mine);
}

/** `shift`: without the time that counts elsewhere; `full`: with it. `isKept`: it was published for the person. */
type Mine = { slot: number; shift: Counted; full: Counted; isKept: boolean };
/** What a person has regardless of the plan: in this schedule, and the counted part of others. */
type Had = { own: readonly Counted[]; elsewhere: readonly Counted[] };

/** Shifts elsewhere never take a published shift from its person. They only leave less room for new ones. */
function sums({ most, amountsOf, averageWeeks }: Sum, had: Had, mine: readonly Mine[]) {
  const known = new Map<string, Map<string, number>>();
  for (const { period, id, amount } of had.own.flatMap(amountsOf)) entryOf(known, period).set(id, amount);
  const others = new Map<string, Map<string, number>>();
  for (const { period, id, amount } of had.elsewhere.flatMap(amountsOf))
    if (!known.get(period)?.has(id)) entryOf(others, period).set(id, amount);
  const periods = new Map<string, Map<string, { slots: number[]; amount: number; isKept: boolean }>>();
  for (const { slot, shift, isKept } of mine)
    for (const { period, id, amount } of amountsOf(shift)) {
      if (known.get(period)?.has(id) || others.get(period)?.has(id)) continue;
      const units = entryOf(periods, period);
      const unit = units.get(id) ?? { slots: [], amount, isKept: false };
      unit.slots.push(slot);
      unit.isKept ||= isKept;
      units.set(id, unit);
    }
  const quotas = [...periods].flatMap(([period, units]) => {
    const [before, elsewhere] = [known, others].map((one) => sum(one.get(period)?.values() ?? []));
    const all = [...units.values()];
    const kept = sum(all.filter(({ isKept }) => isKept).map(({ amount }) => amount));
    const own = Math.max(0, most - (before ?? 0));
    const left = Math.max(own - (elsewhere ?? 0), Math.min(own, kept), 0);
    const possible = sum(all.map(({ amount }) => amount));
    if (!isMore(possible, left)) return [];
    const counted = new Map([...units].map(([id, { slots, amount }]) => [id, { slots, amount }]));
    return [{ most: left, had: (before ?? 0) + (elsewhere ?? 0), units: counted }];
  });
  const needed = averageWeeks === undefined ? quotas : withoutImplied(quotas);
  return needed.map(({ units, ...quota }) => ({
    ...{ kind: 'sum' as const, ...quota, units: [...units.values()] },
    ...(averageWeeks === undefined ? {} : { averageWeeks }),
  }));
}

type Period = { most: number; had: number; units: ReadonlyMap<string, Unit> };

/** Drops periods that are kept whenever another one is, because averages overlap. */
function withoutImplied(quotas: readonly Period[]): Period[] {
  const implies = (other: Period, one: Period) =>
    other.most <= one.most &&
    [...one.units].every(([id, { amount }]) => (other.units.get(id)?.amount ?? 0) >= amount);
  return quotas.filter(
    (one, index) =>
      !quotas.some(
        (other, at) => at !== index && implies(other, one) && (at < index || !implies(one, other)),
      ),
  );
}

function rows({ most, slack, stepsOf }: Row, had: Had, mine: readonly Mine[]) {
  const units = new Map<string, Step & { slots: number[]; isHad: boolean }>();
  for (const step of had.own.flatMap(stepsOf)) units.set(step.id, { ...step, slots: [], isHad: true });
  const kept = mine.filter(({ isKept }) => isKept).flatMap(({ shift }) => stepsOf(shift));
  for (const step of stepsElsewhere(
    [...units.values(), ...kept],
    had.elsewhere.flatMap(stepsOf),
    most,
    slack,
  ))
    units.set(step.id, { ...step, slots: [], isHad: true });
  for (const { slot, shift } of mine)
    for (const step of stepsOf(shift)) {
      const unit = units.get(step.id) ?? { ...step, slots: [], isHad: false };
      // A person who has a place in the row already has it whatever the plan says.
      if (!unit.isHad) unit.slots.push(slot);
      units.set(step.id, unit);
    }
  const sorted = inOrder([...units.values()]);
  const longest = longestWith(sorted, slack, (step) => !units.get(step.id)?.isHad);
  return longest > most ? [{ kind: 'row' as const, most, slack, units: sorted }] : [];
}

function rests(limit: Free, had: Had, mine: readonly Mine[]) {
  const slots = mine.flatMap(({ slot, full, isKept }) =>
    limit.busyOf(full).map((busy) => ({ ...busy, slot, isKept })),
  );
  const [own, elsewhere] = [had.own, had.elsewhere].map((some) => some.flatMap(limit.busyOf));
  return [...Map.groupBy(slots, ({ week }) => week.from).values()].flatMap((inWeek) => {
    const week = inWeek[0]?.week ?? { from: 0, to: 0 };
    const published = [...(own ?? []), ...inWeek.filter(({ isKept }) => isKept)];
    const certain = [...(own ?? []), ...busyElsewhere(limit, week, published, elsewhere ?? [])];
    const units = restsIn(week, limit.most, certain, inWeek).map(
      (rest): RestUnit => ({
        ...rest,
        slots: [...new Set(inWeek.filter((one) => intersects(one, rest)).map(({ slot }) => slot))],
      }),
    );
    if (units.some((rest) => rest.slots.length === 0)) return [];
    const exceeding = (held: ReadonlySet<number>) =>
      withoutRestIn(
        limit,
        week,
        longestFree(week, [...certain, ...inWeek.filter(({ slot }) => held.has(slot))]),
      );
    const all = [...new Set(inWeek.map(({ slot }) => slot))];
    return [{ kind: 'free' as const, rests: fewestSlots(units), slots: all, exceeded: exceeding }];
  });
}

/** Drops times that others make redundant, because fewer slots exclude those. */
function fewestSlots(rests: readonly RestUnit[]): RestUnit[] {
  const isWithin = (one: RestUnit, other: RestUnit) => one.slots.every((slot) => other.slots.includes(slot));
  return rests.filter(
    (one, index) =>
      !rests.some(
        (other, at) =>
          at !== index && isWithin(other, one) && (at < index || other.slots.length < one.slots.length),
      ),
  );
}

/** The shifts elsewhere that do not take the weekly rest from anybody who has it with their published shifts. */
function busyElsewhere(
  limit: Free,
  week: Interval,
  published: readonly Interval[],
  elsewhere: readonly Busy[],
): Busy[] {
  const counted: Busy[] = [];
  for (const one of elsewhere.filter((busy) => busy.week.from === week.from))
    if (!isMore(limit.most, longestFree(week, [...published, ...counted, one]))) counted.push(one);
  return counted;
}

/** The shifts elsewhere that do not make any row of published shifts too long. */
function stepsElsewhere(
  published: readonly Step[],
  elsewhere: readonly Step[],
  most: number,
  slack: number,
): Step[] {
  const isKnown = new Set(published.map(({ id }) => id));
  const counted: Step[] = [];
  for (const step of elsewhere) {
    if (isKnown.has(step.id)) continue;
    const all = inOrder([...new Map([...published, ...counted, step].map((one) => [one.id, one])).values()]);
    if (longestWith(all, slack, ({ id }) => id === step.id) <= most) counted.push(step);
  }
  return counted;
}

function inOrder<S extends Step>(steps: readonly S[]): S[] {
  return steps.toSorted((a, b) => a.at - b.at || a.until - b.until);
}

function isKeptBy(one: OpenPlace | undefined, userId: string): boolean {
  const { kept, otherHours } = one?.place ?? {};
  return kept?.userId === userId && !otherHours;
}

/** A shift without the time that its person is also on call elsewhere, because that time counts once. */
function besides(shift: Counted, elsewhere: readonly Interval[]): Counted {
  return elsewhere.length === 0 ? shift : { ...shift, spans: without(shift.spans, union(elsewhere)) };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function entryOf<T>(maps: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const map = maps.get(key) ?? new Map<string, T>();
  maps.set(key, map);
  return map;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

type Whole = Pick<Counted, 'whole' | 'shared'>;

/** Past and fixed shifts by stage, seat and start. */
function wholesOf(stages: PlanInput['stages']): ReadonlyMap<string, Whole> {
  const wholes = new Map<string, Whole>();
  for (const { past, places } of stages) {
    for (const { stage, seat, reason, ...shift } of past)
      wholes.set(`${stage} ${seat} ${shift.from}`, wholeOf(shift, reason?.shared));
    for (const { stage, seat, shared, ...place } of places)
      wholes.set(`${stage} ${seat} ${place.from}`, wholeOf(place, shared));
  }
  return wholes;
}

function wholeOf({ from, to, parts }: Stint, shared: Interval | undefined): Whole {
  return { whole: { from, to, ...(parts ? { parts } : {}) }, ...(shared ? { shared } : {}) };
}

function countedPlace({ place }: OpenPlace): Counted | null {
  if (isAllTaken(place)) return null;
  const { stage, seat, from, shared } = place;
  // A running shift that is planned for the first time counts from its hand-off, as it will once it is published.
  return { key: `${stage} ${seat} ${from}`, ...wholeOf(place, shared), spans: leftOf(place) };
}

/** The shifts of a person. All parts of a shift count as one. */
function countedDuties(duties: readonly Duty[], wholes: ReadonlyMap<string, Whole>): Counted[] {
  const keyOf = ({ stage, seat, shift, from }: Duty) => `${stage} ${seat} ${shift ?? from}`;
  return [...Map.groupBy(duties, keyOf)].flatMap(([key, parts]) => {
    const [first] = parts;
    if (!first) return [];
    const spans = parts.flatMap((duty) => duty.parts ?? [duty]);
    return [{ key, ...(wholes.get(key) ?? wholeOf(first, undefined)), spans }];
  });
}

/** The limit that a person exceeds, and how much they have; null if there is none. `held`: their slots. */
export function exceeded(quotas: readonly Quota[], person: number, held: readonly number[]): Exceeded | null {
  const slots = new Set(held);
  for (const quota of quotas) {
    if (quota.person !== person) continue;
    const has = (unit: Unit | RowUnit | RestUnit) => unit.slots.some((slot) => slots.has(slot));
    if (quota.kind === 'free') {
      const isInWeek = quota.slots.some((slot) => slots.has(slot));
      if (isInWeek && quota.rests.every(has)) return quota.exceeded(slots);
      continue;
    }
    const exceeding = quota.kind === 'sum' ? sumOf(quota, has) : rowOf(quota, has);
    if (exceeding !== null)
      return exceededAs({ ...quota, name: quota.limit, most: quota.limitMost }, exceeding);
  }
  return null;
}

type SumQuota = Extract<Quota, { kind: 'sum' }>;
type RowQuota = Extract<Quota, { kind: 'row' }>;

function sumOf({ most, had, units }: SumQuota, has: (unit: Unit) => boolean): number | null {
  const amount = sum(units.filter(has).map((unit) => unit.amount));
  return isMore(amount, most) ? had + amount : null;
}

function rowOf({ most, slack, units }: RowQuota, has: (unit: RowUnit) => boolean): number | null {
  const held = units.filter((unit) => unit.isHad || has(unit));
  const isPlanned = new Set(held.filter(({ isHad }) => !isHad).map(({ id }) => id));
  if (isPlanned.size === 0) return null;
  const longest = longestWith(held, slack, ({ id }) => isPlanned.has(id));
  return longest > most ? longest : null;
}

/** Whether a person exceeds a quota; `held`: their slots. */
export function exceeds(quotas: readonly Quota[], person: number, held: readonly number[]): boolean {
  return exceeded(quotas, person, held) !== null;
}

/** By unit of a quota: the units that directly follow it. */
export function followersIn({ units, slack }: RowQuota): number[][] {
  return units.map((unit) => units.flatMap((other, index) => (follows(unit, other, slack) ? [index] : [])));
}
