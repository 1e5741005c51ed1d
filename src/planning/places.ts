import { type Interval, within } from '../kit/interval.ts';
import { commonMs, lengthOf, type Place, type PlannedShift, type Stint } from '../schedules/planner.ts';
import { type SharedShift, sharedShifts, withWholes } from './shared-shifts.ts';

/** Shifts that begin sooner than this are the last to move: people have made plans around them. */
export const SOON_MS = 72 * 3_600_000;

export type Seat = {
  stage: number;
  seat: number;
  /** The current members, who may take shifts of this stage. */
  memberIds: readonly string[];
  /** The planned shifts of this seat so far, oldest first. */
  planned: readonly PlannedShift[];
  /** The hours in which the seat is on call, ascending; null for always. */
  windows: readonly Interval[] | null;
};

/**
 * The running shift of a seat, and those that begin at `at` or later. The running shift keeps its end and its person;
 * if it has nobody, or its person left the stage, the rest of it is open. A shift whose hours changed stays with the
 * person who had most of that time. A seat without a plan begins at the previous hand-off, so that it is covered at
 * once. `handoffs`: ascending, the first at or before `at`.
 */
export function placesOf(seat: Seat, handoffs: readonly number[], at: number): Place[] {
  const shared = seat.windows ? [] : sharedShifts(seat.planned);
  const whole = { ...seat, planned: withWholes(seat.planned, shared) };
  return wholePlaces(whole, formerIn(whole.planned, seat.planned), handoffs, at).flatMap((place) => {
    const cut = shared.find(
      ({ from, to }) => to === place.to && (from === place.from || (from <= at && place.from <= at)),
    );
    return cut ? piecePlaces(seat, cut, at) : [place];
  });
}

/** Keeps the cuts of a shared shift as they were planned. */
function piecePlaces(seat: Seat, { pieces }: SharedShift, at: number): Place[] {
  return pieces
    .filter(({ to }) => to > at)
    .map((piece) => {
      const place =
        piece.from <= at ? runningPlace(seat, piece, at) : futurePlace(seat, piece, as(piece), at);
      const { from, to, shared = { from, to } } = { ...piece, ...piece.reason };
      return { ...place, shared };
    });
}

function wholePlaces(
  seat: Seat,
  formerOf: (stint: Stint) => Former | null,
  handoffs: readonly number[],
  at: number,
): Place[] {
  const begun = seat.planned.findLast(({ from, to }) => from <= at && at < to);
  const running = begun && { ...begun, to: endOf(begun, seat.windows, handoffs) };
  const current = running && runningPlace(seat, running, at);
  const frontier = running?.to ?? Math.max(handoffs[0] ?? at, lastEnd(seat, at));
  const coming = cut(frontier, handoffs).flatMap((span) => covered(span, seat.windows, at));
  const places = coming.map((stint) => futurePlace(seat, stint, formerOf(stint), at));
  return current && isToCome(current, at) ? [current, ...places] : places;
}

/** False when the hours were shortened after the shift began and are over: nothing is left to assign. */
function isToCome({ parts }: Place, at: number): boolean {
  return parts === undefined || parts.some(({ to }) => to > at);
}

/** If the hours are now longer than planned, the shift lasts until they end or until the next hand-off. */
function endOf({ to }: PlannedShift, windows: Seat['windows'], handoffs: readonly number[]): number {
  const next = windows && handoffs.find((handoff) => handoff >= to);
  return next ? (within(windows, { from: to, to: next }).at(-1)?.to ?? to) : to;
}

/** Trims a span to the first and last covered time in it; empty if no covered time remains after `at`. */
function covered(span: Interval, windows: Seat['windows'], at: number): Stint[] {
  if (!windows) return [span];
  const parts = within(windows, span);
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last && last.to > at ? [{ from: first.from, to: last.to, parts }] : [];
}

/**
 * Who had a time in the plan so far. `hours`: `same` if it was this very shift, `other` if other shifts overlapped it.
 */
type Former = Pick<PlannedShift, 'userId' | 'reason' | 'from'> & { hours: 'same' | 'other' };

function as({ userId, reason, from }: PlannedShift): Former {
  return { userId, reason, from, hours: 'same' };
}

/**
 * Returns a function that finds who had a shift in the plan so far; call it in order of time. Where hand-offs, hours or
 * holidays changed, the person who had most of the time counts, and nobody only if the time had nobody at all.
 * `pieces`: the same plan with shared shifts as their pieces.
 */
function formerIn(
  planned: readonly PlannedShift[],
  pieces: readonly PlannedShift[],
): (stint: Stint) => Former | null {
  const byStart = new Map(planned.map((shift) => [shift.from, shift]));
  let first = 0;
  return (stint) => {
    const same = byStart.get(stint.from);
    if (same?.to === stint.to && !stint.parts) return as(same);
    while ((pieces[first]?.to ?? Number.POSITIVE_INFINITY) <= stint.from) first++;
    let end = first;
    while ((pieces[end]?.from ?? Number.POSITIVE_INFINITY) < stint.to) end++;
    return mostOf(stint, pieces.slice(first, end));
  };
}

function mostOf(stint: Stint, shifts: readonly PlannedShift[]): Former | null {
  const length = lengthOf(stint);
  const there = shifts
    .map((shift) => ({ shift, ms: commonMs(shift, stint) }))
    // A shift that shares less than half of both lengths is another shift.
    .filter(({ shift, ms }) => ms > 0 && (2 * ms >= lengthOf(shift) || 2 * ms >= length));
  const byPerson = Map.groupBy(there, ({ shift }) => shift.userId);
  let most: { ms: number; shift: PlannedShift } | null = null;
  for (const [userId, own] of byPerson) {
    const ms = own.reduce((sum, one) => sum + one.ms, 0);
    const longest = own.reduce((best, one) => (one.ms > best.ms ? one : best));
    if (!most || (userId !== null && (most.shift.userId === null || ms > most.ms)))
      most = { ms, shift: longest.shift };
  }
  if (!most) return null;
  const { from, to, userId, reason } = most.shift;
  // A holiday may have moved one end of a shift with hours.
  const isSame = stint.parts !== undefined && (from === stint.from || to === stint.to);
  const { shared: _, ...rest } = reason ?? { rule: 'least', skipped: [] };
  return { userId, from, reason: reason && rest, hours: isSame ? 'same' : 'other' };
}

function runningPlace(seat: Seat, running: PlannedShift, at: number): Place {
  const { stage, from, to, userId, reason } = running;
  const begins = (start: number) => ({
    from: start,
    ...(seat.windows ? { parts: within(seat.windows, { from: start, to }) } : {}),
  });
  const common = { stage, seat: seat.seat, to, servedFrom: at };
  if (userId !== null && seat.memberIds.includes(userId))
    return {
      ...common,
      ...begins(from),
      gapFrom: from,
      kept: { userId, reason },
      fixed: true,
      yields: false,
    };
  const isGap = userId === null;
  return {
    ...{ ...common, ...begins(at), gapFrom: isGap ? from : at, kept: null, fixed: false, yields: isGap },
    ...(isGap ? { wasGap: true as const } : {}),
  };
}

function futurePlace(seat: Seat, stint: Stint, former: Former | null, at: number): Place {
  const { from } = stint;
  const kept = former?.userId ? { userId: former.userId, reason: former.reason } : null;
  const end = seat.planned.at(-1)?.to ?? Number.POSITIVE_INFINITY;
  const isFurther = from >= end || (former === null && stint.to > end);
  const isSoon = kept !== null && former !== null && former.from < at + SOON_MS;
  return {
    stage: seat.stage,
    seat: seat.seat,
    ...stint,
    servedFrom: Math.max(from, at),
    gapFrom: from,
    kept,
    ...(kept && former?.hours === 'other' ? { otherHours: true as const } : {}),
    ...(isSoon ? { soon: true as const } : {}),
    ...(isSoon && from < at + SOON_MS ? { keptWithoutRest: true as const } : {}),
    ...(former?.userId === null ? { wasGap: true as const } : {}),
    fixed: false,
    yields: isFurther || former?.userId === null,
  };
}

function lastEnd(seat: Seat, at: number): number {
  const ends = seat.planned.map(({ to }) => to).filter((to) => to <= at);
  return Math.max(Number.NEGATIVE_INFINITY, ...ends);
}

/** Spans between hand-offs, starting at `frontier`, which may not be a hand-off if the pattern has changed. */
function cut(frontier: number, handoffs: readonly number[]): Interval[] {
  const coming = handoffs.filter((handoff) => handoff > frontier);
  const [first, second] = coming;
  if (first === undefined) return [];
  // A remainder of less than half a shift gets no hand-off of its own: the next shift begins earlier.
  const isScrap =
    !handoffs.includes(frontier) && second !== undefined && first - frontier < (second - first) / 2;
  const bounds = [frontier, ...(isScrap ? coming.slice(1) : coming)];
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? frontier, to }));
}
