import { holidaysOf } from '../calendars/holiday-calendar-store.ts';
import type { Tx } from '../db/database.ts';
import { unhurried } from '../kit/unhurried.ts';
import { type LayerRow, layersToPlan, type PlannedSchedule } from '../schedules/plan-store.ts';
import type { StageSituation } from '../schedules/planner.ts';
import { type Timetable, timetable } from '../schedules/timetable.ts';

/** The stages and layers of a schedule to plan from `at` to `horizon`, each with its own pattern and time zone. */
export type Layers = {
  stages: StageSituation[];
  /** Hand-offs of the schedule's own pattern. */
  handoffs: number[];
  /** All stages are planned until here. */
  until: Temporal.Instant;
  /** No stage is planned further than this. */
  reach: Temporal.Instant;
};

/** How far beyond the planned time holidays are read, because a shift may have begun before it or end after it. */
const MARGIN = { days: 400 };

/** `since`: people who joined earlier count as having joined then. */
export async function layersOf(
  tx: Tx,
  schedule: PlannedSchedule,
  at: Temporal.Instant,
  horizon: Temporal.Instant,
  since: Temporal.Instant,
): Promise<Layers> {
  const uncovered = await uncoveredDays(tx, schedule, at, horizon);
  const timetableOf = (row: LayerRow | null) =>
    timetable(row?.versions ?? schedule.versions, row?.timeZone ?? schedule.timeZone, uncovered, at, horizon);
  const rows = await layersToPlan(tx, schedule, since);
  // A timetable of one year takes up to ten milliseconds.
  const [common, times] = await unhurried(timetables(rows, timetableOf));
  const ends = times.map(({ handoffs }) => handoffs.at(-1) ?? at).sort(Temporal.Instant.compare);
  return {
    stages: rows.map((row, index) => situationOf(row, times[index] ?? common, common)),
    handoffs: milliseconds(common.handoffs),
    until: ends[0] ?? common.handoffs.at(-1) ?? at,
    reach: ends.at(-1) ?? at,
  };
}

/** The timetable of the schedule, and one for each layer. */
function* timetables(
  rows: readonly LayerRow[],
  timetableOf: (row: LayerRow | null) => Timetable,
): Generator<void, [Timetable, Timetable[]]> {
  const common = timetableOf(null);
  const times: Timetable[] = [];
  for (const row of rows) {
    yield;
    times.push(row.versions || row.timeZone ? timetableOf(row) : common);
  }
  return [common, times];
}

function situationOf(row: LayerRow, own: Timetable, common: Timetable): StageSituation {
  const { stage, seats, members, plannedMembers, firstSeat } = row;
  return {
    ...{ stage, seats, members, plannedMembers },
    ...(firstSeat === null ? {} : { firstSeat }),
    ...(own === common ? {} : { handoffs: milliseconds(own.handoffs) }),
    ...(own.windows ? { windows: own.windows } : {}),
  };
}

async function uncoveredDays(
  tx: Tx,
  { id, holidayUse }: PlannedSchedule,
  at: Temporal.Instant,
  horizon: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  if (holidayUse === 'weight') return new Set();
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO('UTC').toPlainDate();
  return holidaysOf(tx, id, day(at).subtract(MARGIN), day(horizon).add(MARGIN));
}

function milliseconds(instants: readonly Temporal.Instant[]): number[] {
  return instants.map(({ epochMilliseconds }) => epochMilliseconds);
}
