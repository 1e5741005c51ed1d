import { intersects } from '../../kit/interval.ts';
import type { Build, Entry } from '../../optimizer/program.ts';
import {
  countedAs,
  countedShifts,
  limitsElsewhere,
  limitsOnRoster,
  shiftKey,
} from '../../schedules/eligibility.ts';
import {
  type Counted,
  type Free,
  follows,
  type Row,
  restsIn,
  type Step,
  type Sum,
} from '../../schedules/limits.ts';
import { type Seated, stintsOf } from '../../schedules/roster.ts';
import type { Part } from './model.ts';
import { type Question, remains } from './segments.ts';

/** With more rows than this, only the answer is checked against the limit. */
const MOST_ROWS = 5_000;

/**
 * An amount that counts once: the column that is 1 if the person has it, null if they have it in any case. `gained`:
 * columns that are 1 if they gain a part of it, in which case the limit must not be exceeded with it. `kept`: they have
 * it now.
 */
type Unit = { has: number | null; amount: number; gained: number[]; kept: boolean };

/** Keeps a person within their limits, except where they already exceed them and gain nothing. */
export function addLimits(build: Build, question: Question, userId: string, own: readonly Part[]): void {
  const { roster } = question;
  const limits = limitsOnRoster(roster, userId);
  if (limits.length === 0) return;
  const { shifts, held } = shiftsOf(build, question, userId, own);
  for (const limit of limits)
    if (limit.kind === 'sum') addSum(build, limit, shifts, held);
    else if (limit.kind === 'row') addRow(build, limit, shifts, held);
    else addRest(build, limit, shifts, held);
}

/** A person who gains something in a week needs a free time in it that is long enough. */
function addRest(build: Build, limit: Free, shifts: readonly Shift[], held: readonly Counted[]): void {
  const busy = shifts.flatMap(({ parts }) =>
    parts.flatMap(({ part, counted }) => limit.busyOf(counted).map((one) => ({ ...one, part }))),
  );
  const certain = held.flatMap(limit.busyOf);
  for (const inWeek of Map.groupBy(busy, ({ week }) => week.from).values()) {
    const week = inWeek[0]?.week ?? { from: 0, to: 0 };
    const gained = new Set(inWeek.flatMap(({ part }) => (part.gained ? [part.column] : [])));
    if (gained.size === 0) continue;
    const free = restsIn(week, limit.most, certain, inWeek).map((rest) => {
      const column = build.column({}, 1);
      for (const { part } of inWeek.filter((one) => intersects(one, rest)))
        build.row(Number.NEGATIVE_INFINITY, 1, [
          [column, 1],
          [part.column, 1],
        ]);
      return column;
    });
    for (const column of gained)
      build.row(Number.NEGATIVE_INFINITY, 0, [[column, 1], ...free.map((one): Entry => [one, -1])]);
  }
}

/** A shift that may change hands. `has`: the column that is 1 if the person has any of it. */
type Shift = { counted: Counted; parts: readonly { part: Part; counted: Counted }[]; has: number };

function shiftsOf(
  build: Build,
  { roster, segments, stretches, leaversAreFree }: Question,
  userId: string,
  own: readonly Part[],
): { shifts: Shift[]; held: Counted[] } {
  const stints = stintsOf(roster.stints, userId).flatMap((stint) =>
    remains(stint, stretches, leaversAreFree).map((rest): Seated & { shift: number } => ({
      shift: stint.shift ?? stint.from,
      ...rest,
    })),
  );
  const here = countedShifts(
    roster.stints,
    stints.map((stint) => ({ ...stint, userId })),
  );
  const spans = [...stints, ...own.flatMap((part) => segments[part.segment] ?? [])];
  const held = [...here, ...limitsElsewhere(roster, userId, spans)];
  const placed = own.flatMap((part) => {
    const segment = segments[part.segment];
    const stretch = stretches[segment?.stretch ?? -1];
    if (!segment || !stretch) return [];
    return [{ part, key: shiftKey(stretch), counted: countedAs(roster.stints, segment) }];
  });
  const shifts = [...Map.groupBy(placed, ({ key }) => key).values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    return [
      {
        counted: first.counted,
        parts,
        has: anyOf(
          build,
          parts.map(({ part }) => part.column),
        ),
      },
    ];
  });
  return { shifts, held };
}

function anyOf(build: Build, columns: readonly number[]): number {
  const any = build.column({}, 1);
  for (const column of columns)
    build.row(Number.NEGATIVE_INFINITY, 0, [
      [column, 1],
      [any, -1],
    ]);
  return any;
}

function addSum(build: Build, limit: Sum, shifts: readonly Shift[], held: readonly Counted[]): void {
  const periods = new Map<string, Map<string, Unit>>();
  const unitOf = (period: string, id: string, amount: number): Unit => {
    const units = periods.get(period) ?? new Map<string, Unit>();
    periods.set(period, units);
    const unit = units.get(id) ?? { has: null, amount, gained: [], kept: false };
    units.set(id, unit);
    return unit;
  };
  for (const { period, id, amount } of held.flatMap(limit.amountsOf)) unitOf(period, id, amount).kept = true;
  const isHeld = new Set(
    [...periods].flatMap(([period, units]) => [...units.keys()].map((id) => `${period} ${id}`)),
  );
  const columns = new Map<Unit, number[]>();
  const add = (counted: Counted, has: number, parts: readonly Part[]) => {
    for (const { period, id, amount } of limit.amountsOf(counted)) {
      const unit = unitOf(period, id, amount);
      if (!isHeld.has(`${period} ${id}`)) columns.set(unit, [...(columns.get(unit) ?? []), has]);
      unit.gained.push(...parts.filter(({ gained }) => gained).map(({ column }) => column));
      unit.kept ||= parts.some(({ gained }) => !gained);
    }
  };
  for (const { counted, parts, has } of shifts)
    if (limit.isTime) for (const one of parts) add(one.counted, one.part.column, [one.part]);
    else
      add(
        counted,
        has,
        parts.map(({ part }) => part),
      );
  for (const [unit, own] of columns) unit.has = own.length === 1 ? (own[0] ?? null) : anyOf(build, own);
  for (const units of periods.values()) addPeriod(build, limit.most, [...units.values()]);
}

function addPeriod(build: Build, most: number, units: readonly Unit[]): void {
  const sum = (some: readonly Unit[]) => some.reduce((total, { amount }) => total + amount, 0);
  const certain = sum(units.filter(({ has }) => has === null));
  const open = units.filter(({ has }) => has !== null);
  if (certain + sum(open) <= most) return;
  const left = most - certain;
  const kept = sum(open.filter((unit) => unit.kept));
  const all = open.map(({ has, amount }): Entry => [has ?? 0, amount]);
  if (kept <= left) {
    build.row(Number.NEGATIVE_INFINITY, left, all);
    return;
  }
  // A person who already exceeds the limit gains something only after giving away enough.
  for (const column of new Set(units.flatMap(({ gained }) => gained)))
    build.row(Number.NEGATIVE_INFINITY, sum(open), [...merged(all, [column, sum(open) - left])]);
}

/** Adds an entry; a column may have only one in a row. */
function merged(entries: readonly Entry[], [column, value]: Entry): Entry[] {
  const known = entries.some(([other]) => other === column);
  if (!known) return [...entries, [column, value]];
  return entries.map(([other, own]) => [other, other === column ? own + value : own]);
}

type RowUnit = Step & { columns: number[]; has: number | null; gained: Set<number>; isHeld: boolean };

function addRow(build: Build, limit: Row, shifts: readonly Shift[], held: readonly Counted[]): void {
  const units = new Map<string, RowUnit>();
  const unitOf = (step: Step): RowUnit => {
    const unit = units.get(step.id) ?? { ...step, columns: [], has: null, gained: new Set(), isHeld: false };
    units.set(step.id, unit);
    return unit;
  };
  for (const step of held.flatMap(limit.stepsOf)) unitOf(step).isHeld = true;
  for (const { counted, parts, has } of shifts)
    for (const step of limit.stepsOf(counted)) {
      const unit = unitOf(step);
      unit.columns.push(has);
      for (const { part } of parts) if (part.gained) unit.gained.add(part.column);
    }
  const sorted = [...units.values()].sort((a, b) => a.at - b.at || a.until - b.until);
  for (const unit of sorted) if (!unit.isHeld) unit.has = anyOf(build, unit.columns);
  const after = new Map(
    sorted.map((unit) => [unit, sorted.filter((other) => follows(unit, other, limit.slack))] as const),
  );
  let left = MOST_ROWS;
  const extend = (chain: readonly RowUnit[]): void => {
    if (left <= 0) return;
    if (chain.length <= limit.most) {
      for (const next of after.get(chain.at(-1) as RowUnit) ?? []) extend([...chain, next]);
      return;
    }
    for (const unit of chain)
      for (const column of unit.gained) {
        left--;
        const others = chain.filter((other) => other !== unit && other.has !== null);
        build.row(Number.NEGATIVE_INFINITY, others.length, [
          ...others.map(({ has }): Entry => [has ?? 0, 1]),
          [column, 1],
        ]);
      }
  };
  for (const unit of sorted) extend([unit]);
}
