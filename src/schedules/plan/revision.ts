import { type Difference, differenceOf, type ShiftRow } from './difference.ts';
import { fair } from './fair.ts';
import { layOverrides, type Override } from './overlay.ts';
import { placesOf } from './places.ts';
import {
  type Member,
  overlap,
  type Place,
  type PlanInput,
  type PlannedShift,
  type Planner,
  type StageInput,
} from './planner.ts';
import { rotation } from './rotation.ts';

const PLANNERS: Record<'fair' | 'rotation', Planner> = { fair, rotation };

export type StageSituation = {
  stage: number;
  seats: number;
  /** Those who can be on call at all, in the order of the rotation. */
  members: readonly Member[];
  /** With whom the shifts so far were planned; null before the first plan. */
  plannedMembers: readonly string[] | null;
};

/** All that a schedule's plan depends on. Times in epoch milliseconds. */
export type Situation = {
  strategy: 'fair' | 'rotation';
  restMs: number;
  /** Whether somebody who turns out to be away keeps a shift that exists (`propose`) or loses it (`apply`). */
  cover: 'propose' | 'apply';
  /** Ascending. */
  stages: readonly StageSituation[];
  /** Shifts of the past that still count, and all later ones. */
  rows: readonly ShiftRow[];
  /** Those that are not over. */
  overrides: readonly Override[];
  /** By user, each list sorted by start. */
  records: PlanInput['records'];
  /** Ascending, from the last at or before `at` to where the plan ends. */
  handoffs: readonly number[];
  at: number;
};

export type Revision = { difference: Difference; gaps: PlannedShift[] };

/** What has to change so that the shifts from `at` on are as they should be; nothing when they are already. */
export function revise(situation: Situation): Revision {
  const { strategy, stages, overrides, rows, at } = situation;
  const plan = PLANNERS[strategy].plan(planInputOf(situation));
  const shiftsByStage = Map.groupBy(plan, ({ stage }) => stage);
  const pieces = stages.flatMap(({ stage, seats }) =>
    layOverrides(
      stage,
      seats,
      shiftsByStage.get(stage) ?? [],
      overrides.filter((override) => override.stage === stage),
    ),
  );
  const gaps = plan.filter(({ userId, to }) => userId === null && to > at);
  return { difference: differenceOf(rows, pieces, at), gaps };
}

/** What a strategy has to decide in a situation. */
export function planInputOf(situation: Situation): PlanInput {
  const { stages, records, restMs } = situation;
  return { stages: stages.map((stage) => stageInput(stage, situation)), records, restMs };
}

function stageInput(stage: StageSituation, situation: Situation): StageInput {
  const { strategy, rows, handoffs, at } = situation;
  const memberIds = stage.members.map(({ userId }) => userId);
  const keep = stage.plannedMembers === null || isSameCrew(strategy, stage.plannedMembers, memberIds);
  const planned = plannedShifts(rows.filter((row) => row.stage === stage.stage));
  const seats = Array.from({ length: stage.seats }, (_, index) => ({
    stage: stage.stage,
    seat: index + 1,
    memberIds,
    planned: planned.filter(({ seat }) => seat === index + 1),
    keep,
  }));
  const places = seats
    .flatMap((seat) => placesOf(seat, handoffs, at))
    .map((place) => (awaitsCover(place, memberIds, situation) ? { ...place, fixed: true } : place));
  const fixed = new Set(places.filter((place) => place.fixed).map(({ seat, from }) => `${seat} ${from}`));
  const past = planned
    .filter((shift) => shift.from <= at && !fixed.has(`${shift.seat} ${shift.from}`))
    .map((shift) => ({ ...shift, to: Math.min(shift.to, at) }))
    .filter(({ from, to }) => from < to);
  return { stage: stage.stage, seats: stage.seats, members: stage.members, past, places };
}

/** The shift stands although its person is away: whether somebody else takes it is for people to decide. */
function awaitsCover(
  place: Place,
  memberIds: readonly string[],
  { cover, records }: Pick<Situation, 'cover' | 'records'>,
): boolean {
  const userId = place.kept?.userId;
  if (cover === 'apply' || userId === undefined || !memberIds.includes(userId)) return false;
  return (records.get(userId) ?? []).some(
    (record) => record.type === 'hard_unavailable' && overlap(record, place),
  );
}

/** Who joins or leaves, or another order, is what the rest of a rotation has to follow at once. */
function isSameCrew(strategy: Situation['strategy'], before: readonly string[], after: readonly string[]) {
  const text = (ids: readonly string[]) => (strategy === 'fair' ? [...ids].sort() : ids).join(' ');
  return text(before) === text(after);
}

/** The shifts as planned: rows are pieces of them, of which the last knows best when its shift ends. */
function plannedShifts(rows: readonly ShiftRow[]): PlannedShift[] {
  const shifts = new Map<string, PlannedShift>();
  for (const { stage, seat, plannedUserId, planned, reason } of rows.toSorted((a, b) => a.from - b.from))
    if (planned)
      shifts.set(`${seat} ${planned.from}`, { stage, seat, ...planned, userId: plannedUserId, reason });
  return [...shifts.values()].sort((a, b) => a.from - b.from || a.seat - b.seat);
}
