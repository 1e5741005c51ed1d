import type { ShiftRow } from './difference.ts';
import type { PlannedShift } from './planner.ts';
import { joined } from './windows.ts';

/** The shifts as planned: rows are pieces of them, of which the last knows best when its shift ends. */
export function plannedShifts(rows: readonly ShiftRow[]): PlannedShift[] {
  const shifts = new Map<string, PlannedShift>();
  const sorted = rows.filter(({ planned }) => planned !== null).sort((a, b) => a.from - b.from);
  for (const [key, pieces] of Map.groupBy(sorted, ({ seat, planned }) => `${seat} ${planned?.from}`)) {
    const { stage, seat, plannedUserId, planned, reason } = pieces.at(-1) as ShiftRow;
    const parts = joined(pieces);
    if (planned)
      shifts.set(key, {
        ...{ stage, seat, ...planned, userId: plannedUserId, reason },
        ...(parts.length > 1 ? { parts } : {}),
      });
  }
  return [...shifts.values()].sort((a, b) => a.from - b.from || a.seat - b.seat);
}

/** Rows of all stages as the shifts that they are pieces of. */
export function plannedByStage(rows: readonly ShiftRow[]): PlannedShift[] {
  return [...Map.groupBy(rows, ({ stage }) => stage).values()].flatMap(plannedShifts);
}
