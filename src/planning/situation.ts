import type { Tx } from '../db/database.ts';
import { holidaysOf } from '../schedules/holiday-store.ts';
import {
  overridesSince,
  type PlannedSchedule,
  recordsBetween,
  shiftsSince,
} from '../schedules/plan-store.ts';
import { shiftsElsewhere } from './elsewhere-store.ts';
import { layersOf } from './layers.ts';
import { planInputOf, type Situation } from './revision.ts';
import type { ProblemInput } from './solver/problem.ts';

/** How far back shifts count for who owes a turn and who carried how much. */
const LEDGER = { hours: 366 * 24 };

/** What a plan of a schedule depends on at an instant. `until`: how far all stages are planned by it. */
export type Planning = { situation: Situation; input: ProblemInput; until: Temporal.Instant };

/**
 * Reads it; the schedule's row has to be locked where something follows from it. `cover`: whether a shift stays with
 * somebody who turned out to be away, which is so while covers say who takes it, or is given away anew.
 */
export async function readPlanning(
  tx: Tx,
  at: Temporal.Instant,
  schedule: PlannedSchedule,
  cover: 'propose' | 'apply' = 'propose',
): Promise<Planning> {
  const since = at.subtract(LEDGER);
  const { stages, handoffs, until, reach } = await layersOf(tx, schedule, at, horizon(schedule, at), since);
  const userIds = [...new Set(stages.flatMap(({ members }) => members.map(({ userId }) => userId)))];
  const situation: Situation = {
    strategy: schedule.strategy,
    restMs: schedule.restMs,
    smallAbsenceMs: schedule.rules.smallAbsenceHours * 3_600_000,
    cover,
    stages,
    rows: await shiftsSince(tx, schedule.id, since),
    overrides: await overridesSince(tx, schedule.id, at),
    records: await recordsBetween(tx, userIds, since, reach),
    handoffs,
    at: at.epochMilliseconds,
  };
  const { timeZone, rules } = schedule;
  const isAsked = schedule.strategy === 'fair' && rules.elsewhere !== 'allow';
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const input: ProblemInput = {
    ...planInputOf(situation),
    calendar: { timeZone, holidays: await holidaysOf(tx, schedule.id, day(since), day(reach)) },
    rules,
    elsewhere: isAsked ? await shiftsElsewhere(tx, schedule, userIds, at, reach) : new Map(),
  };
  return { situation, input, until };
}

function horizon(schedule: PlannedSchedule, at: Temporal.Instant): Temporal.Instant {
  const ahead = at.add({ hours: schedule.planAheadWeeks * 7 * 24 });
  const before = schedule.plannedUntil;
  return before && Temporal.Instant.compare(before, ahead) > 0 ? before : ahead;
}
