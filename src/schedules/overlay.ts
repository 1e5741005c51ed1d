import type { Interval } from '../kit/interval.ts';
import { overlap, type PlannedShift, type Reason } from './planner.ts';

/**
 * A person takes over a stage for a time, regardless of the plan: a given seat, or otherwise the most suitable one.
 * Newer overrides have greater ids.
 */
export type Override = Interval & { id: string; stage: number; seat?: number | null; userId: string };

/** A planned shift or, with weekly hours, a part of one. */
export type PlannedPart = PlannedShift & { whole?: Interval };

/** Who is on call on a seat for a time, and the planned shift that this is a piece of. */
export type ShiftPiece = Interval & {
  stage: number;
  seat: number;
  userId: string | null;
  plannedUserId: string | null;
  overrideId: string | null;
  /** Null if only an override put the person on call. */
  planned: Interval | null;
  reason: Reason | null;
};

/**
 * Lays overrides over the planned shifts of a stage. Where several overlap, the newest gets its seat first: the one
 * that it names, otherwise the one planned for its person, otherwise the first with a shift, otherwise the first free
 * one. An older one whose seat is named by a newer one gets no other seat with a shift, because somebody would lose
 * that shift without a notice. When all seats are taken, the oldest get none.
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

/** Spans between consecutive starts and ends. */
function moments(spans: readonly Interval[]): Interval[] {
  const bounds = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? to, to }));
}

/** Returns a function that finds the shift of a seat at an instant; call it in order of time. */
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
  /** Seats with a shift that overrides without a seat have, unless a newer one names them. */
  const chosen = new Set<number>();
  const choose = ({ userId }: Override) => {
    const own = shifts.findIndex((shift, index) => !chosen.has(index) && shift?.userId === userId);
    // Prefer seats with a shift: seats of other layers may be empty at this time by design.
    const busy = shifts.findIndex((shift, index) => !chosen.has(index) && shift !== undefined);
    const seat = own >= 0 ? own : busy;
    if (seat < 0) return takers.indexOf(undefined);
    chosen.add(seat);
    return seat;
  };
  for (const override of newestFirst) {
    const seat = override.seat ? override.seat - 1 : choose(override);
    if (seat >= 0 && seat < takers.length) takers[seat] ??= override;
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
