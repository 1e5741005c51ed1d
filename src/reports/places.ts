import type { Span } from '../schedules/plan/planner.ts';
import { type Burden, burdensOf } from '../schedules/plan/solver/burdens.ts';
import { add, type Measured, nothing } from './measure.ts';

/** A row of a schedule's shifts: who was, or will be, on call on one seat for a while. */
export type Piece = Span & {
  stage: number;
  seat: number;
  /** Null: nobody, a gap. */
  userId: string | null;
  /** Whose it was when it was planned, where that was somebody else. */
  takenFrom: string | null;
  /** The shift that it is a piece of. */
  whole: Span;
};

/** One shift, with all its pieces. */
export type Place = Span & { stage: number; pieces: readonly Piece[] };

/** What somebody had of a shift within a period. Numbers of shifts: parts of one. */
export type Share = {
  userId: string;
  measured: Measured;
  shifts: number;
  nights: number;
  weekends: number;
  holidays: number;
};

/** Pieces of a shift need not follow each other: somebody may take over between its hours. */
export function placesOf(pieces: readonly Piece[]): Place[] {
  const places: Place[] = [];
  for (const [stage, ofStage] of Map.groupBy(pieces, (piece) => piece.stage))
    for (const ofSeat of Map.groupBy(ofStage, ({ seat }) => seat).values())
      for (const [from, own] of Map.groupBy(ofSeat, ({ whole }) => whole.from)) {
        // The last piece knows best when its shift ends.
        const last = own.reduce((latest, piece) => (piece.from > latest.from ? piece : latest));
        places.push({ stage, from, to: last.whole.to, pieces: own });
      }
  return places;
}

/**
 * What each person had of a shift within `period`. What the shift counts as is decided for all of it, as the planner
 * does; whoever had half of its hours at a weekend had half a weekend.
 */
export function sharesOf(place: Place, measure: (span: Span) => Measured, period: Span): Share[] {
  const whole = measureAll(place.pieces, measure);
  const burdens = knownBurdens(whole);
  const part = (mine: number, all: number) => (all > 0 ? mine / all : 0);
  return [...measuredWithin(place, measure, period)].map(([userId, measured]) => ({
    userId,
    measured,
    shifts: part(measured.all, whole.all),
    nights: burdens.has('night') ? part(measured.night, whole.night) : 0,
    weekends: burdens.has('weekend') ? part(measured.weekend, whole.weekend) : 0,
    holidays: burdens.has('holiday') ? part(measured.holiday, whole.holiday) : 0,
  }));
}

function measuredWithin({ pieces }: Place, measure: (span: Span) => Measured, period: Span) {
  const spans = new Map<string, Span[]>();
  for (const piece of pieces) {
    const span = piece.userId === null ? null : clipped(piece, period);
    if (piece.userId === null || span === null) continue;
    const own = spans.get(piece.userId);
    if (own) own.push(span);
    else spans.set(piece.userId, [span]);
  }
  return [...spans].map(([userId, own]) => [userId, measureAll(own, measure)] as const);
}

/** Most shifts are of one piece, of which the measure is known. */
function measureAll(spans: readonly Span[], measure: (span: Span) => Measured): Measured {
  const [first, second] = spans;
  if (first && !second) return measure(first);
  const sum = nothing();
  for (const span of spans) add(sum, measure(span));
  return sum;
}

const burdensByMeasure = new WeakMap<Measured, ReadonlySet<Burden>>();

function knownBurdens(measured: Measured): ReadonlySet<Burden> {
  const burdens = burdensByMeasure.get(measured) ?? burdensOf(measured);
  burdensByMeasure.set(measured, burdens);
  return burdens;
}

/** How much of a shift lies in a period, from 0 to 1, whoever has it. */
export function partWithin({ pieces }: Place, period: Span): number {
  let [all, within] = [0, 0];
  for (const piece of pieces) {
    all += piece.to - piece.from;
    const part = clipped(piece, period);
    if (part) within += part.to - part.from;
  }
  return all > 0 ? within / all : 0;
}

/** Null when nothing of it is left; the span itself when all of it is within. */
export function clipped(span: Span, period: Span): Span | null {
  if (span.from >= period.from && span.to <= period.to) return span;
  const part = { from: Math.max(span.from, period.from), to: Math.min(span.to, period.to) };
  return part.from < part.to ? part : null;
}
