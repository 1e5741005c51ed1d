import { clip, type Interval } from '../kit/interval.ts';
import type { Rates } from './contract.ts';
import { startOf } from './hours.ts';

/** Local dates such as `2026-12-25`, so that texts compare like days. */
type Day = string;

export type VersionOfRates = { from: Day; until: Day | null; rates: Rates };

export type PayTable = {
  id: string;
  name: string;
  currency: string;
  timeZone: string;
  isDefault: boolean;
  /** Ascending by `from`. */
  versions: readonly VersionOfRates[];
  holidays: ReadonlySet<Day>;
};

/** From which day a person is paid by a table; null: not paid. */
export type Assignment = { from: Day; tableId: string | null };

/**
 * A time in which one set of rates applies to a person. `rates` null: none applies, although the person should be paid.
 */
export type Era = Interval & { table: PayTable | null; version: VersionOfRates | null; isPaid: boolean };

export type Days = { first: Day; last: Day };

const EVER: Interval = { from: -8.64e15, to: 8.64e15 };

const dayStart = (day: Day, zone: string) => startOf(Temporal.PlainDate.from(day), zone);
const dayEnd = (day: Day, zone: string) => startOf(Temporal.PlainDate.from(day).add({ days: 1 }), zone);

/** A period of days in a zone. */
export function spanOfDays({ first, last }: Days, timeZone: string): Interval {
  return { from: dayStart(first, timeZone), to: dayEnd(last, timeZone) };
}

/**
 * The eras of a person within days, ascending and without overlaps. Every moment belongs to the days of its own table,
 * so that consecutive periods have each moment once, even when the person moves to a table with another zone.
 * @param assignments ascending by `from`; before the first one, the default table applies
 */
export function erasOf(
  assignments: readonly Assignment[],
  tables: ReadonlyMap<string, PayTable>,
  days: Days,
): Era[] {
  const usual = [...tables.values()].find(({ isDefault }) => isDefault) ?? null;
  const zone = usual?.timeZone ?? 'UTC';
  const eras = [{ table: usual, isPaid: true, from: EVER.from, to: EVER.to }];
  for (const { from, tableId } of assignments) {
    const table = tableId === null ? null : (tables.get(tableId) ?? null);
    const begin = dayStart(from, table?.timeZone ?? zone);
    const last = eras.at(-1);
    if (last) last.to = Math.max(last.from, begin);
    eras.push({ table, isPaid: tableId !== null, from: Math.max(last?.from ?? begin, begin), to: EVER.to });
  }
  return eras.flatMap((era) => {
    const part = clip(era, spanOfDays(days, era.table?.timeZone ?? zone));
    return part ? versionsOf(part) : [];
  });
}

function versionsOf(era: Omit<Era, 'version'>): Era[] {
  const { table } = era;
  if (!table) return [{ ...era, version: null }];
  const found: Era[] = [];
  let { from } = era;
  for (const [index, version] of table.versions.entries()) {
    const next = table.versions[index + 1];
    const ends = [
      ...(version.until === null ? [] : [dayEnd(version.until, table.timeZone)]),
      ...(next ? [dayStart(next.from, table.timeZone)] : []),
    ];
    const own = clip(era, { from: dayStart(version.from, table.timeZone), to: Math.min(EVER.to, ...ends) });
    if (!own) continue;
    if (from < own.from) found.push({ ...era, from, to: own.from, version: null });
    found.push({ ...own, version });
    from = own.to;
  }
  return from < era.to ? [...found, { ...era, from, version: null }] : found;
}
