import { overlap, type PlannedShift, type Reason, type Span } from './planner.ts';

/** Somebody takes over a stage for a while, whatever was planned. Ids ascend in the order of their making. */
export type Override = Span & { id: string; stage: number; userId: string };

/** Who is on call on one seat for a while, and which planned shift that is a piece of. */
export type ShiftPiece = Span & {
  stage: number;
  seat: number;
  userId: string | null;
  plannedUserId: string | null;
  overrideId: string | null;
  /** Null where only an override put somebody on call. */
  planned: Span | null;
  reason: Reason | null;
};

/**
 * Lays overrides over the planned shifts of one stage, ordered by time. Where several meet, the newest takes the seat
 * that its person was planned for, else the first that no newer one took; with no seat left the oldest give way.
 */
export function layOverrides(
  stage: number,
  seats: number,
  planned: readonly PlannedShift[],
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
function moments(spans: readonly Span[]): Span[] {
  const bounds = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? to, to }));
}

/** Finds the shift of a seat that covers an instant, asked in the order of time. */
function cursor(planned: readonly PlannedShift[], seat: number): (at: number) => PlannedShift | undefined {
  const shifts = planned.filter((shift) => shift.seat === seat).sort((a, b) => a.from - b.from);
  let index = 0;
  return (at) => {
    while ((shifts[index]?.to ?? Number.POSITIVE_INFINITY) <= at) index++;
    const shift = shifts[index];
    return shift && shift.from <= at ? shift : undefined;
  };
}

function seated(shifts: readonly (PlannedShift | undefined)[], newestFirst: readonly Override[]) {
  const takers: (Override | undefined)[] = shifts.map(() => undefined);
  const isFree = (index: number) => takers[index] === undefined;
  for (const override of newestFirst) {
    const own = shifts.findIndex((shift, index) => isFree(index) && shift?.userId === override.userId);
    const seat = own >= 0 ? own : takers.indexOf(undefined);
    if (seat >= 0) takers[seat] = override;
  }
  return takers;
}

function pieceOf(
  place: Span & { stage: number; seat: number },
  shift: PlannedShift | undefined,
  override: Override | undefined,
): ShiftPiece | undefined {
  if (!shift && !override) return undefined;
  const plannedUserId = shift?.userId ?? null;
  return {
    ...place,
    userId: override?.userId ?? plannedUserId,
    plannedUserId,
    overrideId: override?.id ?? null,
    planned: shift ? { from: shift.from, to: shift.to } : null,
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
