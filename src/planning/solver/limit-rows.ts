import type { Build, Entry } from '../../optimizer/program.ts';
import { followersIn, type Quota } from './quotas.ts';

type SumQuota = Extract<Quota, { kind: 'sum' }>;
type FreeQuota = Extract<Quota, { kind: 'free' }>;
type RowQuota = Extract<Quota, { kind: 'row' }>;

/** Keeps a person within a limit. `columnOf`: the column of a slot that is 1 if the person has it. */
export function addQuota(build: Build, quota: Quota, columnOf: (slot: number) => number): void {
  if (quota.kind === 'sum') addSum(build, quota, columnOf);
  else if (quota.kind === 'row') addRow(build, quota, columnOf);
  else addRest(build, quota, columnOf);
}

/**
 * One rest time of the week has to be free if the person has any slot of the week. Only a time without slots can be
 * free.
 */
function addRest(build: Build, { rests, slots }: FreeQuota, columnOf: (slot: number) => number): void {
  const free = rests.map((rest) => {
    const column = build.column({}, 1);
    for (const slot of rest.slots)
      build.row(Number.NEGATIVE_INFINITY, 1, [
        [column, 1],
        [columnOf(slot), 1],
      ]);
    return column;
  });
  if (free.length > 0)
    build.row(
      1,
      free.length,
      free.map((column): Entry => [column, 1]),
    );
  else for (const slot of slots) build.row(Number.NEGATIVE_INFINITY, 0, [[columnOf(slot), 1]]);
}

function addSum(build: Build, { units, most }: SumQuota, columnOf: (slot: number) => number): void {
  const amounts = units.map(({ slots, amount }) => ({ has: anyOf(build, slots, columnOf), amount }));
  const [first] = amounts;
  const isEqual =
    first !== undefined && amounts.every(({ amount }) => Math.abs(amount - first.amount) < 1e-9);
  // Equal amounts are counted in units, which bounds fractional plans better than a sum of hours.
  const [scale, bound] = isEqual ? [0, Math.floor(most / first.amount + 1e-6)] : [1, most + 1e-7];
  build.row(
    Number.NEGATIVE_INFINITY,
    bound,
    amounts.map(({ has, amount }): Entry => [has, scale === 0 ? 1 : amount]),
  );
}

/** A column that is 1 if the person has any of the slots. */
function anyOf(build: Build, slots: readonly number[], columnOf: (slot: number) => number): number {
  const [only, second] = slots;
  if (only !== undefined && second === undefined) return columnOf(only);
  const any = build.column({}, 1);
  for (const slot of slots)
    build.row(Number.NEGATIVE_INFINITY, 0, [
      [columnOf(slot), 1],
      [any, -1],
    ]);
  return any;
}

/**
 * No row of units may be longer than `most` if it contains a planned one. For each unit and each length, a column is 1
 * if a row of at least that length, with a planned unit, ends with the unit. This bounds fractional plans as well as
 * one inequality for each possible row would, but there would be too many of those.
 */
function addRow(build: Build, quota: RowQuota, columnOf: (slot: number) => number): void {
  const { units, most } = quota;
  const followers = followersIn(quota);
  const has = units.map(({ slots, isHad }) =>
    isHad || slots.length === 0 ? null : anyOf(build, slots, columnOf),
  );
  // The longest row of the person's existing units that ends with a unit.
  const hadBefore = units.map(() => 0);
  for (const [index, next] of followers.entries())
    for (const after of next)
      if (units[index]?.isHad)
        hadBefore[after] = Math.max(hadBefore[after] ?? 0, (hadBefore[index] ?? 0) + 1);
  const ends = units.map(() => Array.from({ length: most }, () => build.column({}, 1)));
  for (const [index, own] of has.entries()) {
    if (own === null) continue;
    const least = (hadBefore[index] ?? 0) + 1;
    if (least > most) build.row(Number.NEGATIVE_INFINITY, 0, [[own, 1]]);
    for (const end of ends[index]?.slice(0, least) ?? [])
      build.row(Number.NEGATIVE_INFINITY, 0, [
        [own, 1],
        [end, -1],
      ]);
  }
  for (const [index, next] of followers.entries())
    for (const after of next) {
      const own = has[after] ?? null;
      // An existing unit continues every row. A planned unit continues it only if the person gets it.
      const ifHad: Entry[] = own === null ? [] : [[own, 1]];
      if (own === null && !units[after]?.isHad) continue;
      for (const [length, end] of (ends[index] ?? []).entries()) {
        const longer = ends[after]?.[length + 1];
        build.row(Number.NEGATIVE_INFINITY, ifHad.length, [
          [end, 1],
          ...ifHad,
          ...(longer === undefined ? [] : [[longer, -1] as const]),
        ]);
      }
    }
}
