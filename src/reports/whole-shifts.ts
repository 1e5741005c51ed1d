import { clip, type Interval } from '../kit/interval.ts';
import type { Had } from '../schedules/ledger.ts';

/** A row of a schedule's shifts: who is on call in one seat during a period. */
export type Piece = Had & {
  stage: number;
  seat: number;
  /** The person has it because of an override, a cover or a swap. */
  isTaken?: boolean | null;
  /** The person for whom it was planned, if that was another one. */
  takenFrom: string | null;
  /** The shift to which it belongs. */
  whole: Interval;
};

/** One shift, with all its pieces. */
export type WholeShift = Interval & { stage: number; seat: number; pieces: readonly Piece[] };

/** Pieces of a shift may have gaps, because another person may take over in between. */
export function wholeShifts(pieces: readonly Piece[]): WholeShift[] {
  const places: WholeShift[] = [];
  for (const [stage, ofStage] of Map.groupBy(pieces, (piece) => piece.stage))
    for (const [seat, ofSeat] of Map.groupBy(ofStage, (piece) => piece.seat))
      for (const [from, own] of Map.groupBy(ofSeat, ({ whole }) => whole.from)) {
        // The end of a shift is that of its last piece.
        const last = own.reduce((latest, piece) => (piece.from > latest.from ? piece : latest));
        places.push({ stage, seat, from, to: last.whole.to, pieces: own });
      }
  return places;
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
