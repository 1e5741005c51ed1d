import type { Place, PlannedShift, Span } from './planner.ts';

export type Seat = {
  stage: number;
  seat: number;
  /** Who may take shifts of this stage now. */
  memberIds: readonly string[];
  /** Planned shifts of this seat so far, oldest first. */
  planned: readonly PlannedShift[];
  /** Whether future shifts that still hold stay with whom they were planned for. */
  keep: boolean;
};

/**
 * The shifts of one seat that begin at `at` or later, and the one under way. What has begun keeps its end and its
 * person, unless there is none or they left the stage: then the rest of it is given away. A seat that was never
 * planned begins at the hand-off before, so that somebody is on call at once. `handoffs`: ascending, the first at or
 * before `at`.
 */
export function placesOf(seat: Seat, handoffs: readonly number[], at: number): Place[] {
  const running = seat.planned.findLast(({ from, to }) => from <= at && at < to);
  const current = running && runningPlace(seat, running, at);
  const frontier = running?.to ?? Math.max(handoffs[0] ?? at, lastEnd(seat, at));
  const before = new Map(seat.keep ? seat.planned.map((shift) => [shift.from, shift]) : []);
  const coming = cut(frontier, handoffs).map((span) => futurePlace(seat, span, before.get(span.from), at));
  return current ? [current, ...coming] : coming;
}

function runningPlace(seat: Seat, running: PlannedShift, at: number): Place {
  const { stage, from, to, userId, reason } = running;
  const common = { stage, seat: seat.seat, to, servedFrom: at };
  if (userId !== null && seat.memberIds.includes(userId))
    return { ...common, from, gapFrom: from, kept: { userId, reason }, fixed: true, yields: false };
  const isGap = userId === null;
  return { ...common, from: at, gapFrom: isGap ? from : at, kept: null, fixed: false, yields: isGap };
}

function futurePlace(seat: Seat, { from, to }: Span, before: PlannedShift | undefined, at: number): Place {
  const holder = before?.to === to ? before.userId : null;
  const kept = before && holder !== null ? { userId: holder, reason: before.reason } : null;
  const isGap = before?.to === to && before.userId === null;
  const isFurther = from >= (seat.planned.at(-1)?.to ?? Number.POSITIVE_INFINITY);
  return {
    stage: seat.stage,
    seat: seat.seat,
    from,
    to,
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
