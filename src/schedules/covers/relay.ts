import type { Tx } from '../../db/database.ts';
import { type Difference, differenceOf, type ShiftRow } from '../plan/difference.ts';
import { layOverrides, type Override } from '../plan/overlay.ts';
import { plannedParts } from '../plan/planned-shifts.ts';
import { overridesSince, saveDifference, shiftsSince } from '../plan-store.ts';
import { type CoveredSchedule, stageNumbers } from './roster-store.ts';

/** Shifts of one stage reach back so far at most. */
const LOOKING_BACK = { hours: 24 * 35 };

/**
 * Brings the shifts from `at` on in line with the overrides that there are now. Nothing is planned anew: whoever was
 * planned for a shift stays so. Planning the schedule afterwards changes nothing.
 */
export async function relay(tx: Tx, at: Temporal.Instant, schedule: CoveredSchedule): Promise<void> {
  const rows = await shiftsSince(tx, schedule.id, at.subtract(LOOKING_BACK));
  const stages = await stageNumbers(tx, schedule.id);
  const overrides = (await overridesSince(tx, schedule.id, at)).filter(({ stage }) => stages.has(stage));
  await saveDifference(tx, at, schedule, relaid(rows, overrides, at.epochMilliseconds));
}

/** What has to be written so that rows show the overrides, and what was planned where there are none. */
function relaid(rows: readonly ShiftRow[], overrides: readonly Override[], at: number): Difference {
  const stages = new Set([...rows, ...overrides].map(({ stage }) => stage));
  const pieces = [...stages].flatMap((stage) => {
    const own = rows.filter((row) => row.stage === stage);
    const theirs = overrides.filter((override) => override.stage === stage);
    const seats = Math.max(1, ...own.map(({ seat }) => seat), ...theirs.map(({ seat }) => seat ?? 1));
    return layOverrides(stage, seats, plannedParts(own), theirs);
  });
  return differenceOf(rows, pieces, at);
}
