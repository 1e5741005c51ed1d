import { within } from '../kit/interval.ts';
import { type Difference, differenceOf, type ShiftRow } from '../schedules/difference.ts';
import { isAwayFor } from '../schedules/eligibility.ts';
import { isAllTaken } from '../schedules/ledger.ts';
import { layOverrides, type Override, type PlannedPart } from '../schedules/overlay.ts';
import { plannedShifts } from '../schedules/planned-shifts.ts';
import {
  overlap,
  type Place,
  type PlanInput,
  type PlannedShift,
  type StageInput,
  type StageSituation,
} from '../schedules/planner.ts';
import { placesOf } from './places.ts';
import type { Strategy } from './strategies.ts';
import { type SeatTaken, takenBeside, takenTimes, withTaken } from './taken.ts';

/** All that a schedule's plan depends on. Times in epoch milliseconds. */
export type Situation = {
  strategy: Strategy;
  restMs: number;
  smallAbsenceMs?: number;
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

/**
 * What has to change so that the shifts from `at` on are as a plan says, which has to be one for `planInputOf` of the
 * situation; nothing when they are already.
 */
export function revisionTo(plan: readonly PlannedShift[], situation: Situation): Revision {
  const { stages, overrides, rows, at } = situation;
  const shiftsByStage = Map.groupBy(plan, ({ stage }) => stage);
  const pieces = [...Map.groupBy(stages, ({ stage }) => stage)].flatMap(([stage, layers]) =>
    layOverrides(
      stage,
      Math.max(...layers.map(lastSeat)),
      (shiftsByStage.get(stage) ?? []).flatMap((shift) => partsOf(shift, layers)),
      overrides.filter((override) => override.stage === stage),
    ),
  );
  const empty = pieces.filter(({ userId, to }) => userId === null && to > at);
  const isEmpty = (shift: PlannedShift) =>
    empty.some((piece) => piece.stage === shift.stage && piece.seat === shift.seat && overlap(piece, shift));
  const gaps = plan.filter((shift) => shift.userId === null && shift.to > at && isEmpty(shift));
  return { difference: differenceOf(rows, pieces, at), gaps };
}

function lastSeat({ firstSeat = 1, seats }: StageSituation): number {
  return firstSeat + seats - 1;
}

/** Of a shift what lies in the hours of its layer. */
function partsOf(shift: PlannedShift, layers: readonly StageSituation[]): PlannedPart[] {
  const layer = layers.find((one) => shift.seat <= lastSeat(one));
  if (!layer?.windows) return [shift];
  const whole = { from: shift.from, to: shift.to };
  return within(layer.windows, shift).map((part) => ({ ...shift, ...part, whole }));
}

/** What a strategy has to decide in a situation. */
export function planInputOf(situation: Situation): PlanInput {
  const { stages, records, restMs, smallAbsenceMs = 0 } = situation;
  const opened = stages.map((stage) => openedOf(stage, situation));
  const byStage = Map.groupBy(opened, ({ stage }) => stage.stage);
  const taken = new Map([...byStage].map(([stage, layers]) => [stage, takenIn(stage, layers, situation)]));
  return {
    stages: opened.map((one) => stageInput(one, taken.get(one.stage.stage), situation)),
    ...{ records, restMs, smallAbsenceMs },
  };
}

/** A stage or layer, its shifts so far, and the places that the plan has to fill. */
type Opened = { stage: StageSituation; planned: readonly PlannedShift[]; open: readonly Place[] };

function openedOf(stage: StageSituation, { rows, handoffs, at }: Situation): Opened {
  const memberIds = stage.members.map(({ userId }) => userId);
  const planned = plannedShifts(rows.filter((row) => isOf(stage, row)));
  const { firstSeat = 1, windows = null } = stage;
  const seats = Array.from({ length: stage.seats }, (_, index) => ({
    stage: stage.stage,
    seat: firstSeat + index,
    memberIds,
    planned: planned.filter(({ seat }) => seat === firstSeat + index),
    windows,
  }));
  const open = seats.flatMap((seat) => placesOf(seat, stage.handoffs ?? handoffs, at));
  return { stage, planned, open };
}

/** What overrides give to people in a stage, and all places of the stage. */
type TakenIn = { times: readonly SeatTaken[]; places: readonly Place[] };

function takenIn(stage: number, layers: readonly Opened[], { rows, overrides, at }: Situation): TakenIn {
  const times = takenTimes(
    rows.filter((row) => row.stage === stage),
    overrides.filter((override) => override.stage === stage),
    Math.max(...layers.map((layer) => lastSeat(layer.stage))),
    at,
  );
  return { times, places: layers.flatMap(({ open }) => open) };
}

const NOTHING: TakenIn = { times: [], places: [] };

function stageInput(
  { stage, planned, open }: Opened,
  { times, places: all }: TakenIn = NOTHING,
  situation: Situation,
): StageInput {
  const { at } = situation;
  const memberIds = stage.members.map(({ userId }) => userId);
  const mine = times.filter((one) => isOf(stage, { ...one, stage: stage.stage }));
  const places = withTaken(open, mine).map((place) =>
    awaitsCover(place, planned, memberIds, situation) || isGivenAway(place, memberIds, situation)
      ? { ...place, fixed: true }
      : place,
  );
  const fixed = new Set(places.filter((place) => place.fixed).map(({ seat, from }) => `${seat} ${from}`));
  const past = planned
    .filter((shift) => shift.from <= at && !fixed.has(`${shift.seat} ${shift.from}`))
    .map((shift) => until(shift, at))
    .filter(({ from, to }) => from < to);
  const extra = takenBeside([...past, ...places], all, mine);
  const { seats, members } = stage;
  return {
    ...{ stage: stage.stage, seats, members, past: withTaken(past, mine), places },
    ...(extra.length > 0 ? { extra } : {}),
  };
}

/** Overrides give all of it to others. Its person stays the same, and has it again when the overrides are deleted. */
function isGivenAway(
  place: Place,
  memberIds: readonly string[],
  { records, smallAbsenceMs }: Situation,
): boolean {
  const userId = place.kept?.userId;
  if (!isAllTaken(place) || userId === undefined || place.otherHours || !memberIds.includes(userId))
    return false;
  return !isAwayFor(records.get(userId) ?? [], place, smallAbsenceMs);
}

function until(shift: PlannedShift, at: number): PlannedShift {
  const span = { from: shift.from, to: Math.min(shift.to, at) };
  return { ...shift, ...span, ...(shift.parts ? { parts: within(shift.parts, span) } : {}) };
}

/** What seats had that there are no more counts as well, unless it may be another layer's. */
function isOf(stage: StageSituation, row: Pick<ShiftRow, 'stage' | 'seat'>): boolean {
  if (row.stage !== stage.stage || stage.firstSeat === undefined) return row.stage === stage.stage;
  return row.seat >= stage.firstSeat && row.seat <= lastSeat(stage);
}

/**
 * The shift stands although its person is away: whether somebody else takes it is for people to decide. Not where they are
 * away only from what it had not been before: other hours may have made it longer.
 */
function awaitsCover(
  place: Place,
  planned: readonly PlannedShift[],
  memberIds: readonly string[],
  { cover, records }: Pick<Situation, 'cover' | 'records'>,
): boolean {
  const userId = place.kept?.userId;
  if (cover === 'apply' || userId === undefined || !memberIds.includes(userId) || place.otherHours)
    return false;
  const had = planned.filter((shift) => shift.seat === place.seat && shift.userId === userId);
  return (records.get(userId) ?? []).some(
    (record) =>
      record.type === 'hard_unavailable' &&
      overlap(record, place) &&
      had.some((shift) => overlap(record, shift)),
  );
}

/**
 * Whether a plan made anew might be better than the published one: who shares the shifts, their order, or when shifts
 * change hands is no longer what it was planned with. What is published stands all the same.
 */
export function isOtherwise(situation: Situation, { stages: inputs }: PlanInput): boolean {
  const { stages, strategy } = situation;
  return (
    stages.some(({ plannedMembers, members }) => {
      const memberIds = members.map(({ userId }) => userId);
      return plannedMembers !== null && !isSameCrew(strategy, plannedMembers, memberIds);
    }) || inputs.some(({ places }) => places.some(({ otherHours }) => otherHours))
  );
}

function isSameCrew(strategy: Situation['strategy'], before: readonly string[], after: readonly string[]) {
  const text = (ids: readonly string[]) => (strategy === 'fair' ? [...ids].sort() : ids).join(' ');
  return text(before) === text(after);
}
