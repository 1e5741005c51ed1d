import type { Interval } from '../kit/interval.ts';
import { overlap, type PlannedShift, type Reason } from './planner.ts';

/**
 * Somebody takes over a stage for a while, whatever was planned: a certain seat of it, or without one whichever suits.
 * Ids ascend in the order of their making.
 */
export type Override = Interval & { id: string; stage: number; seat?: number | null; userId: string };

/** A planned shift, or with hours of the week a part of one. */
export type PlannedPart = PlannedShift & { whole?: Interval };

/** Who is on call on one seat for a while, and which planned shift that is a piece of. */
export type ShiftPiece = Interval & {
  stage: number;
  seat: number;
  userId: string | null;
  plannedUserId: string | null;
  overrideId: string | null;
  /** Null where only an override put somebody on call. */
  planned: Interval | null;
  reason: Reason | null;
};

/**
 * Lays overrides over the planned shifts of one stage, ordered by time. Where several meet, the newest takes its seat:
 * the one that it names, else the one that its person was planned for, else the first that no newer one took. The
 * oldest give way.
 */
export function layOverrides(
  stage: number,
  seats: number,
  planned: readonly PlannedPart[],
  overrides: readonly Override[],
): ShiftPiece[] {
  const newestFirst = [...overrides].sort((a, b) => (a.id < b.id ? 1 : -1));
  const shiftsAt = Array.from({ length: seats }, (_, index) => cursor(planned, index + 1));
  const pieces: ShiftPiece[] = [];
  const latest: (ShiftPiece | undefined)[] = [];
  for (const span of moments([...planned, ...overrides])) {
    const shifts = shiftsAt.map((shiftAt) => shiftAt(span.from));
    const takers = seated(
      shifts,
      newestFirst.filter((override) => overlap(override, span)),
    );
    for (const [index, shift] of shifts.entries()) {
      const piece = pieceOf({ ...span, stage, seat: index + 1 }, shift, takers[index]);
      const before = latest[index];
      if (before && piece && continues(before, piece)) before.to = piece.to;
      else {
        latest[index] = piece;
        if (piece) pieces.push(piece);
      }
    }
  }
  return pieces;
}

/** The stretches of time in which nothing begins or ends. */
function moments(spans: readonly Interval[]): Interval[] {
  const bounds = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? to, to }));
}

/** Finds the shift of a seat that covers an instant, asked in the order of time. */
function cursor(planned: readonly PlannedPart[], seat: number): (at: number) => PlannedPart | undefined {
  const shifts = planned.filter((shift) => shift.seat === seat).sort((a, b) => a.from - b.from);
  let index = 0;
  return (at) => {
    while ((shifts[index]?.to ?? Number.POSITIVE_INFINITY) <= at) index++;
    const shift = shifts[index];
    return shift && shift.from <= at ? shift : undefined;
  };
}

function seated(shifts: readonly (PlannedPart | undefined)[], newestFirst: readonly Override[]) {
  const takers: (Override | undefined)[] = shifts.map(() => undefined);
  const isFree = (index: number) => takers[index] === undefined;
  for (const override of newestFirst) {
    const own = shifts.findIndex((shift, index) => isFree(index) && shift?.userId === override.userId);
    // With layers the others may have nobody at this time, by design.
    const busy = shifts.findIndex((shift, index) => isFree(index) && shift !== undefined);
    const suiting = [own, busy, takers.indexOf(undefined)].find((index) => index >= 0) ?? -1;
    const seat = override.seat ? override.seat - 1 : suiting;
    if (seat >= 0 && seat < takers.length && isFree(seat)) takers[seat] = override;
  }
  return takers;
}

function pieceOf(
  place: Interval & { stage: number; seat: number },
  shift: PlannedPart | undefined,
  override: Override | undefined,
): ShiftPiece | undefined {
  if (!shift && !override) return undefined;
  const plannedUserId = shift?.userId ?? null;
  return {
    ...place,
    userId: override?.userId ?? plannedUserId,
    plannedUserId,
    overrideId: override?.id ?? null,
    planned: shift ? (shift.whole ?? { from: shift.from, to: shift.to }) : null,
    reason: shift?.reason ?? null,
  };
}

function continues(before: ShiftPiece, piece: ShiftPiece): boolean {
  return (
    before.to === piece.from &&
    before.overrideId === piece.overrideId &&
    before.planned?.from === piece.planned?.from
  );
}
