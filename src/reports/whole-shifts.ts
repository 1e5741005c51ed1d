import { clip, type Interval, union } from '../kit/interval.ts';
import type { Had } from '../schedules/ledger.ts';

/** A row of a schedule's shifts: who is on call in one seat during a period. */
export type Piece = Had & {
  stage: number;
  seat: number;
  /** The person has it because of an override, a cover or a swap. */
  isTaken?: boolean | null;
  /** The person for whom it was planned, if that was another one. */
  takenFrom: string | null;
  /** The shift to which it belongs; its own time if it is outside of every planned shift. */
  whole: Interval;
  /** An override gave it to the person outside of every planned shift, such as outside of the hours of the schedule. */
  isOutside?: boolean | null;
  /** That override; null or left out if it was deleted since. */
  overrideId?: string | null;
};

/** One shift, with all its pieces. */
export type WholeShift = Interval & { stage: number; seat: number; pieces: readonly Piece[] };

/**
 * Pieces of a shift may have gaps, because another person may take over in between. Time outside of planned shifts is a
 * shift of its own, as it is for the planner, even if a planned shift starts at the same instant.
 */
export function wholeShifts(pieces: readonly Piece[]): WholeShift[] {
  const seats = Map.groupBy(pieces, ({ stage, seat }) => `${stage} ${seat}`);
  return [...seats.values()].flatMap((ofSeat) => {
    const planned = Map.groupBy(
      ofSeat.filter(({ isOutside }) => !isOutside),
      ({ whole }) => whole.from,
    );
    const outside = ofSeat.filter((piece) => piece.isOutside);
    return [...[...planned.values()].map(plannedShift), ...outsideShifts(outside)];
  });
}

/** The end of a shift is that of its last piece. */
function plannedShift(pieces: readonly Piece[]): WholeShift {
  const last = pieces.reduce((latest, piece) => (piece.from > latest.from ? piece : latest));
  return { stage: last.stage, seat: last.seat, ...last.whole, pieces };
}

/** Continuous time that one override gives to a person is one shift, however many rows store it. */
function outsideShifts(pieces: readonly Piece[]): WholeShift[] {
  const overrides = Map.groupBy(pieces, ({ userId, overrideId, from }) => `${userId} ${overrideId ?? from}`);
  return [...overrides.values()].flatMap((own) =>
    union(own).map(({ from, to }) => {
      const inside = own.filter((piece) => from <= piece.from && piece.to <= to);
      return { stage: own[0]?.stage ?? 0, seat: own[0]?.seat ?? 0, from, to, pieces: inside };
    }),
  );
}

/** The share of a shift that lies in a period, from 0 to 1. */
export function partWithin({ pieces }: WholeShift, period: Interval): number {
  let [all, within] = [0, 0];
  for (const piece of pieces) {
    all += piece.to - piece.from;
    const part = clip(piece, period);
    if (part) within += part.to - part.from;
  }
  return all > 0 ? within / all : 0;
}
