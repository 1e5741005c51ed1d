import { within } from '../kit/interval.ts';
import type { ApartGroup } from '../schedules/apart.ts';
import type { OnlyWith } from '../schedules/companions.ts';
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

/** Everything that a schedule's plan depends on. Times in epoch milliseconds. */
export type Situation = {
  strategy: Strategy;
  restMs: number;
  smallAbsenceMs?: number;
  /** Groups of people who are never on call together. */
  apart?: readonly ApartGroup[];
  /** Who is on call only together with others. Rotations ignore this. */
  onlyWith?: readonly OnlyWith[];
  /** Whether a person who turns out to be away keeps an existing shift (`propose`) or loses it (`apply`). */
  cover: 'propose' | 'apply';
  /** Sorted by stage. */
  stages: readonly StageSituation[];
  /** Past shifts that still count towards shares, and all later ones. */
  rows: readonly ShiftRow[];
  /** Current and future overrides. */
  overrides: readonly Override[];
  /** By user, each list sorted by start. */
  records: PlanInput['records'];
  /** Ascending, from the last hand-off at or before `at` to the end of the plan. */
  handoffs: readonly number[];
  at: number;
};

export type Revision = { difference: Difference; gaps: PlannedShift[] };

/**
 * The changes that turn the shifts from `at` on into a plan; empty if nothing differs. The plan must have been made for
 * `planInputOf` of this situation.
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

/** The parts of a shift within the hours of its layer. */
function partsOf(shift: PlannedShift, layers: readonly StageSituation[]): PlannedPart[] {
  const layer = layers.find((one) => shift.seat <= lastSeat(one));
  if (!layer?.windows) return [shift];
  const whole = { from: shift.from, to: shift.to };
  return within(layer.windows, shift).map((part) => ({ ...shift, ...part, whole }));
}

/** The input of a strategy for a situation. */
export function planInputOf(situation: Situation): PlanInput {
  const { stages, records, restMs, smallAbsenceMs = 0, apart = [], onlyWith = [] } = situation;
  const opened = stages.map((stage) => openedOf(stage, situation));
  const byStage = Map.groupBy(opened, ({ stage }) => stage.stage);
  const taken = new Map([...byStage].map(([stage, layers]) => [stage, takenIn(stage, layers, situation)]));
  return {
    stages: opened.map((one) => stageInput(one, taken.get(one.stage.stage), situation)),
    ...{ records, restMs, smallAbsenceMs },
    ...(apart.length > 0 ? { apart } : {}),
    ...(onlyWith.length > 0 ? { onlyWith } : {}),
  };
}

/** A stage or layer, its shifts so far, and the places that the plan fills. */
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

/**
 * Overrides give the whole place to others. Its planned person stays the same, and gets it back if they are deleted.
 */
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

/** Shifts of seats that no longer exist belong to the stage as well, unless they may belong to another layer. */
function isOf(stage: StageSituation, row: Pick<ShiftRow, 'stage' | 'seat'>): boolean {
  if (row.stage !== stage.stage || stage.firstSeat === undefined) return row.stage === stage.stage;
  return row.seat >= stage.firstSeat && row.seat <= lastSeat(stage);
}

/**
 * Whether a shift stays although its person is away, because people decide who takes it. It does not stay if the person
 * is away only during time that was added later, for example by longer hours, or if the rules do not plan the person then
 * anyway.
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
  const away = (records.get(userId) ?? []).filter(
    (record) => record.type === 'hard_unavailable' && overlap(record, place),
  );
  return (
    away.some((record) => record.why === undefined && had.some((shift) => overlap(record, shift))) &&
    away.every((record) => record.why === undefined)
  );
}

/**
 * Whether a new plan might be better than the published one, because the members, their order or the hand-off times
 * have changed since. The published plan stays in force either way.
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
