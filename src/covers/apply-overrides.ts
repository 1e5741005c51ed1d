import type { Tx } from '../db/database.ts';
import { type Difference, differenceOf, type ShiftRow } from '../schedules/difference.ts';
import { layOverrides, type Override } from '../schedules/overlay.ts';
import { overridesSince, saveDifference, shiftsSince } from '../schedules/plan-store.ts';
import { plannedParts } from '../schedules/planned-shifts.ts';
import { type CoveredSchedule, seatsOfStages } from './roster-store.ts';

/** How far back shifts are read: a stage's shifts are not longer than this. */
const LOOKING_BACK = { hours: 24 * 35 };

/**
 * Brings the shifts from `at` on in line with the current overrides. The plan stays the same, so planning the schedule
 * afterwards changes nothing.
 */
export async function applyOverrides(tx: Tx, at: Temporal.Instant, schedule: CoveredSchedule): Promise<void> {
  const rows = await shiftsSince(tx, schedule.id, at.subtract(LOOKING_BACK));
  const seats = await seatsOfStages(tx, schedule.id);
  const overrides = (await overridesSince(tx, schedule.id, at)).filter(({ stage }) => seats.has(stage));
  await saveDifference(tx, at, schedule, overlaid(rows, overrides, seats, at.epochMilliseconds));
}

/** The changes that make the rows show the overrides, and the plan elsewhere. */
function overlaid(
  rows: readonly ShiftRow[],
  overrides: readonly Override[],
  seats: ReadonlyMap<number, number>,
  at: number,
): Difference {
  const stages = new Set([...rows, ...overrides].map(({ stage }) => stage));
  const pieces = [...stages].flatMap((stage) => {
    const own = rows.filter((row) => row.stage === stage);
    const theirs = overrides.filter((override) => override.stage === stage);
    // Past seats that the stage no longer has accept no override, as in planning.
    const planned = own.filter(({ planned: shift, to }) => shift !== null && to > at);
    const count = Math.max(seats.get(stage) ?? 1, ...planned.map(({ seat }) => seat));
    return layOverrides(stage, count, plannedParts(own), theirs);
  });
  return differenceOf(rows, pieces, at);
}
