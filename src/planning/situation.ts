import { holidaysOf } from '../calendars/holiday-calendar-store.ts';
import type { Tx } from '../db/database.ts';
import { groupsApart } from '../schedules/apart.ts';
import { daysOf } from '../schedules/limits.ts';
import { timesNotPlanned, withTimesNotPlanned } from '../schedules/person-times.ts';
import {
  inOrderOfEmail,
  overridesSince,
  type PlannedSchedule,
  recordsBetween,
  shiftsElsewhere,
  shiftsSince,
} from '../schedules/plan-store.ts';
import type { PlanRules } from '../schedules/rules.ts';
import { rulesOfStrategy } from '../schedules/rules-of-strategy.ts';
import { layersOf } from './layers.ts';
import { planInputOf, type Situation } from './revision.ts';
import type { ProblemInput } from './solver/problem.ts';

/** How far back shifts count for owed turns and for shares. */
const LEDGER = { hours: 366 * 24 };

/** Days; most limits count within a month at most. */
const MONTH = 31;

/** Everything that a plan depends on at an instant. `until`: how far the plan covers all stages. */
export type Planning = { situation: Situation; input: ProblemInput; until: Temporal.Instant };

/**
 * Reads what a plan depends on; lock the schedule's row first if anything is written as a result. `cover`: whether a
 * person who turned out to be away keeps a shift until a cover decides (`propose`), or loses it (`apply`).
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
  const inForce = rulesOfStrategy(schedule.strategy, schedule.rules);
  const situation: Situation = {
    strategy: schedule.strategy,
    restMs: schedule.restMs,
    smallAbsenceMs: schedule.rules.smallAbsenceHours * 3_600_000,
    apart: groupsApart(schedule.rules),
    onlyWith: inForce.onlyWith,
    cover,
    stages,
    rows: await shiftsSince(tx, schedule.id, since),
    overrides: await overridesSince(tx, schedule.id, at),
    records: withTimesNotPlanned(
      await recordsBetween(tx, userIds, since, reach),
      timesNotPlanned(peopleIn(schedule, userIds), schedule.timeZone, {
        from: since.epochMilliseconds,
        to: reach.epochMilliseconds,
      }),
    ),
    handoffs,
    at: at.epochMilliseconds,
  };
  const { timeZone, rules } = schedule;
  const counts = rules.countElsewhereSince;
  const isAsked = counts !== null || (schedule.strategy === 'fair' && inForce.elsewhere !== 'allow');
  // Rest after the last shift, and its week and month, extend beyond the plan.
  const elsewhereSpan =
    counts === null
      ? { from: at, to: reach }
      : { from: since, to: reach.add({ hours: 24 * daysAhead(rules) }) };
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const input: ProblemInput = {
    ...planInputOf(situation),
    calendar: { timeZone, holidays: await holidaysOf(tx, schedule.id, day(since), day(reach)) },
    rules,
    order: await inOrderOfEmail(tx, schedule.organizationId, userIds),
    elsewhere: isAsked ? await shiftsElsewhere(tx, schedule, userIds, elsewhereSpan) : new Map(),
    ...(counts === null ? {} : { countElsewhereSince: counts }),
  };
  return { situation, input, until };
}

/** The number of days after the plan for which shifts of other schedules matter to limits. */
function daysAhead({ limits, people = {} }: PlanRules): number {
  const own = Object.values(people).map((one) => daysOf({ ...limits, ...one.limits }));
  return Math.max(MONTH, daysOf(limits), ...own);
}

/** The rules of current members. Those of former members change nothing. */
function peopleIn({ rules: { people = {} } }: PlannedSchedule, userIds: readonly string[]) {
  return Object.fromEntries(Object.entries(people).filter(([userId]) => userIds.includes(userId)));
}

function horizon(schedule: PlannedSchedule, at: Temporal.Instant): Temporal.Instant {
  const ahead = at.add({ hours: schedule.planAheadWeeks * 7 * 24 });
  const before = schedule.plannedUntil;
  return before && Temporal.Instant.compare(before, ahead) > 0 ? before : ahead;
}
