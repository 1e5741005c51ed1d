import { clip, type Interval } from '../kit/interval.ts';
import type { Had } from '../schedules/ledger.ts';

/** A row of a schedule's shifts: who was, or will be, on call on one seat for a while. */
export type Piece = Had & {
  stage: number;
  seat: number;
  /** Their person has it by an override, a cover or a swap. */
  isTaken?: boolean | null;
  /** Whose it was when it was planned, where that was somebody else. */
  takenFrom: string | null;
  /** The shift that it is a piece of. */
  whole: Interval;
};

/** One shift, with all its pieces. */
export type Place = Interval & { stage: number; seat: number; pieces: readonly Piece[] };

/** Pieces of a shift need not follow each other: somebody may take over between its hours. */
export function placesOf(pieces: readonly Piece[]): Place[] {
  const places: Place[] = [];
  for (const [stage, ofStage] of Map.groupBy(pieces, (piece) => piece.stage))
    for (const [seat, ofSeat] of Map.groupBy(ofStage, (piece) => piece.seat))
      for (const [from, own] of Map.groupBy(ofSeat, ({ whole }) => whole.from)) {
        // The last piece knows best when its shift ends.
        const last = own.reduce((latest, piece) => (piece.from > latest.from ? piece : latest));
        places.push({ stage, seat, from, to: last.whole.to, pieces: own });
      }
  return places;
}

/** How much of a shift lies in a period, from 0 to 1, whoever has it. */
export function partWithin({ pieces }: Place, period: Interval): number {
  let [all, within] = [0, 0];
  for (const piece of pieces) {
    all += piece.to - piece.from;
    const part = clip(piece, period);
    if (part) within += part.to - part.from;
  }
  return all > 0 ? within / all : 0;
}
