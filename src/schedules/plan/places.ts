import type { Place, PlannedShift, Span, Stint } from './planner.ts';
import { type SharedShift, sharedShifts, withWholes } from './shared-shifts.ts';
import { within } from './windows.ts';

export type Seat = {
  stage: number;
  seat: number;
  /** Who may take shifts of this stage now. */
  memberIds: readonly string[];
  /** Planned shifts of this seat so far, oldest first. */
  planned: readonly PlannedShift[];
  /** Whether future shifts that still hold stay with whom they were planned for. */
  keep: boolean;
  /** Times at which somebody is on call at all, ascending; null: always. */
  windows: readonly Span[] | null;
};

/**
 * The shifts of one seat that begin at `at` or later, and the one under way. What has begun keeps its end and its
 * person, unless there is none or they left the stage: then the rest of it is given away. A seat that was never
 * planned begins at the hand-off before, so that somebody is on call at once. `handoffs`: ascending, the first at or
 * before `at`.
 */
export function placesOf(seat: Seat, handoffs: readonly number[], at: number): Place[] {
  const shared = seat.windows ? [] : sharedShifts(seat.planned);
  const whole = { ...seat, planned: withWholes(seat.planned, shared) };
  return wholePlaces(whole, handoffs, at).flatMap((place) => {
    const cut = shared.find(
      ({ from, to }) => to === place.to && (from === place.from || (from <= at && place.from <= at)),
    );
    return cut && (seat.keep || cut.from <= at) ? piecePlaces(seat, cut, at) : [place];
  });
}

/** A shift that people share stays cut as it was planned. */
function piecePlaces(seat: Seat, { pieces }: SharedShift, at: number): Place[] {
  return pieces
    .filter(({ to }) => to > at)
    .map((piece) => {
      const place = piece.from <= at ? runningPlace(seat, piece, at) : futurePlace(seat, piece, piece, at);
      const { from, to, shared = { from, to } } = { ...piece, ...piece.reason };
      return { ...place, shared };
    });
}

function wholePlaces(seat: Seat, handoffs: readonly number[], at: number): Place[] {
  const begun = seat.planned.findLast(({ from, to }) => from <= at && at < to);
  const running = begun && { ...begun, to: endOf(begun, seat.windows, handoffs) };
  const current = running && runningPlace(seat, running, at);
  const frontier = running?.to ?? Math.max(handoffs[0] ?? at, lastEnd(seat, at));
  const known = seat.keep ? seat.planned : [];
  const counterpart = counterparts(known);
  const coming = cut(frontier, handoffs).flatMap((span) => covered(span, seat.windows, at));
  const places = coming.map((stint) => futurePlace(seat, stint, counterpart(stint), at));
  return current && isToCome(current, at) ? [current, ...places] : places;
}

/** Hours may have become shorter since a shift began: where all of them are over, there is nothing left to give. */
function isToCome({ parts }: Place, at: number): boolean {
  return parts === undefined || parts.some(({ to }) => to > at);
}

/** With longer hours than when it was planned, a shift goes on until they end or it changes hands. */
function endOf({ to }: PlannedShift, windows: Seat['windows'], handoffs: readonly number[]): number {
  const next = windows && handoffs.find((handoff) => handoff >= to);
  return next ? (within(windows, { from: to, to: next }).at(-1)?.to ?? to) : to;
}

/** A span without what lies before the first and after the last time that is covered; nothing when none is to come. */
function covered(span: Span, windows: Seat['windows'], at: number): Stint[] {
  if (!windows) return [span];
  const parts = within(windows, span);
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last && last.to > at ? [{ from: first.from, to: last.to, parts }] : [];
}

/** What a shift was in the plan so far. Holidays and hours may have moved one of its ends since. */
function counterparts(planned: readonly PlannedShift[]): (stint: Stint) => PlannedShift | undefined {
  const byStart = new Map(planned.map((shift) => [shift.from, shift]));
  const byEnd = new Map(planned.map((shift) => [shift.to, shift]));
  return ({ from, to, parts }) => byStart.get(from) ?? (parts ? byEnd.get(to) : undefined);
}

function runningPlace(seat: Seat, running: PlannedShift, at: number): Place {
  const { stage, from, to, userId, reason } = running;
  const parts = seat.windows && within(seat.windows, { from, to });
  const common = { stage, seat: seat.seat, to, servedFrom: at, ...(parts ? { parts } : {}) };
  if (userId !== null && seat.memberIds.includes(userId))
    return { ...common, from, gapFrom: from, kept: { userId, reason }, fixed: true, yields: false };
  const isGap = userId === null;
  return { ...common, from: at, gapFrom: isGap ? from : at, kept: null, fixed: false, yields: isGap };
}

function futurePlace(seat: Seat, stint: Stint, before: PlannedShift | undefined, at: number): Place {
  const { from, to, parts } = stint;
  const isSame = before !== undefined && (before.to === to || parts !== undefined);
  const holder = isSame ? before.userId : null;
  const kept = before && holder !== null ? { userId: holder, reason: before.reason } : null;
  const isGap = isSame && before.userId === null;
  const isFurther = from >= (seat.planned.at(-1)?.to ?? Number.POSITIVE_INFINITY);
  return {
    stage: seat.stage,
    seat: seat.seat,
    ...stint,
    servedFrom: Math.max(from, at),
    gapFrom: from,
    kept,
    fixed: false,
    yields: seat.keep && (isGap || isFurther),
  };
}

function lastEnd(seat: Seat, at: number): number {
  const ends = seat.planned.map(({ to }) => to).filter((to) => to <= at);
  return Math.max(Number.NEGATIVE_INFINITY, ...ends);
}

/** Spans from hand-off to hand-off, beginning at `frontier`, which need not be one: the pattern may have changed. */
function cut(frontier: number, handoffs: readonly number[]): Span[] {
  const coming = handoffs.filter((handoff) => handoff > frontier);
  const [first, second] = coming;
  if (first === undefined) return [];
  // A rest of less than half a shift is not worth a hand-off of its own: the next shift begins earlier.
  const isScrap =
    !handoffs.includes(frontier) && second !== undefined && first - frontier < (second - first) / 2;
  const bounds = [frontier, ...(isScrap ? coming.slice(1) : coming)];
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? frontier, to }));
}
