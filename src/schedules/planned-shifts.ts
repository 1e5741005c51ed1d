import { type Interval, union } from '../kit/interval.ts';
import type { ShiftRow } from './difference.ts';
import type { PlannedPart } from './overlay.ts';
import type { PlannedShift, Stint } from './planner.ts';

/** Combines rows into planned shifts. The last row of a shift has its current end. */
export function plannedShifts(rows: readonly ShiftRow[]): PlannedShift[] {
  const shifts = new Map<string, PlannedShift>();
  const sorted = rows.filter(({ planned }) => planned !== null).sort((a, b) => a.from - b.from);
  for (const [key, pieces] of Map.groupBy(sorted, ({ seat, planned }) => `${seat} ${planned?.from}`)) {
    const { stage, seat, plannedUserId, planned, reason } = pieces.at(-1) as ShiftRow;
    if (planned) shifts.set(key, { stage, seat, ...stintOf(planned, pieces), userId: plannedUserId, reason });
  }
  return [...shifts.values()].sort((a, b) => a.from - b.from || a.seat - b.seat);
}

/**
 * The time on call of a shift, from its rows. It has parts unless the rows fill it. Shifts with weekly hours have
 * pauses, and a shift that was first planned while running may lack its beginning.
 */
export function stintOf({ from, to }: Interval, rows: readonly Interval[]): Stint {
  const isAll = (span: Interval | undefined) => span !== undefined && span.from <= from && to <= span.to;
  if (isAll(rows[0])) return { from, to };
  const parts = union(rows);
  return isAll(parts[0]) ? { from, to } : { from, to, parts };
}

/** The parts of planned shifts that have rows. Shifts with weekly hours have pauses. */
export function plannedParts(rows: readonly ShiftRow[]): PlannedPart[] {
  const pieces = Map.groupBy(
    rows.filter(({ planned }) => planned !== null),
    ({ seat, planned }) => `${seat} ${planned?.from}`,
  );
  return plannedShifts(rows).flatMap(({ parts: _, ...shift }) =>
    union(pieces.get(`${shift.seat} ${shift.from}`) ?? []).map((span) => ({
      ...shift,
      ...span,
      whole: { from: shift.from, to: shift.to },
    })),
  );
}

/** Combines rows of all stages into planned shifts. */
export function plannedByStage(rows: readonly ShiftRow[]): PlannedShift[] {
  return [...Map.groupBy(rows, ({ stage }) => stage).values()].flatMap(plannedShifts);
}
